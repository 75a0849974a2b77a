import CoreData
package import Foundation
package import Seeding

/// The objects of a grid as a seed, with all that they depend on.
package struct ExportedSeed: Sendable {
  /// The numbers of objects, by the names of their entities.
  package let counts: [(entity: String, count: Int)]
  /// What a seed cannot say and this one has not, in words.
  package let omissions: [String]
  /// The seed in JSON.
  package let text: Data
}

/// Writes objects of a store as seeds.
package struct StoreSeeds: Sendable {
  private let explored: ExploredStore
  private let room: SeedRoom

  package init(_ explored: ExploredStore) { self.init(explored: explored, room: SeedRoom()) }

  init(explored: ExploredStore, room: SeedRoom) {
    self.explored = explored
    self.room = room
  }

  /// The objects of a query and those that they reach: by default all that they depend on, which is what they
  /// refer to, what is deleted along with them, what they may not lack. That seed loads into an empty store.
  ///
  /// - Throws: an `ExplorationFailure` with the code `tooLarge` for more objects than fit into memory, and
  ///   the errors of the query.
  package func seed(
    of subject: SeedSubject,
    reach: DumpReach = .needed,
    within limit: Duration
  ) async throws -> ExportedSeed {
    let (explored, room) = (explored, room)
    do {
      return try await explored.read(within: limit) { context in
        let request = try subject.request(explored, context: context)
        let dump = StoreDump(explored.coordinator)
        let seed = try dump.seed(of: request, in: context, within: room, reach: reach)
        // A value that cannot be read is not to be taken for none.
        try context.throwReadFailure()
        return ExportedSeed(
          counts: seed.entities.map { ($0.name, $0.records.count) },
          omissions: seed.omissions,
          text: try SeedJSON.data(of: seed)
        )
      }
    } catch let exceeded as SeedRoom.Exceeded {
      throw ExplorationFailure(
        code: .tooLarge,
        problem: "the objects are too many for a page to write a seed of: \(exceeded.words)",
        remedy: "narrow them by a predicate, or write the seed by perennial dump"
      )
    }
  }

  /// The numbers of objects that seeds with each reach have; `nil` for one that does not fit into memory.
  ///
  /// - Throws: the errors of the query.
  package func counts(of subject: SeedSubject, within limit: Duration) async throws -> [DumpReach: Int] {
    let (explored, room) = (explored, room)
    return try await explored.read(within: limit) { context in
      var counts: [DumpReach: Int] = [:]
      for reach in DumpReach.allCases {
        let request = try subject.request(explored, context: context)
        let dump = StoreDump(explored.coordinator)
        do {
          counts[reach] = try dump.count(of: request, in: context, within: room, reach: reach)
        } catch is SeedRoom.Exceeded {
          continue
        }
      }
      return counts
    }
  }
}
