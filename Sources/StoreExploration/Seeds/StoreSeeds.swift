import CoreData
package import Foundation
package import Seeding

/// The objects of a grid as a seed, with all objects that they depend on.
package struct ExportedSeed: Sendable {
  /// The numbers of objects, by the names of their entities.
  package let counts: [(entity: String, count: Int)]
  /// Descriptions of the parts that a seed cannot express and that are missing from this one.
  package let omissions: [String]
  /// The seed in JSON.
  package let text: Data
}

/// Writes objects of a store as seeds.
package struct StoreSeeds: Sendable {
  private let explored: ExploredStore
  private let room: SeedSizeLimit

  package init(_ explored: ExploredStore) { self.init(explored: explored, room: SeedSizeLimit()) }

  init(explored: ExploredStore, room: SeedSizeLimit) {
    self.explored = explored
    self.room = room
  }

  /// A seed of a subject's objects and the objects within their reach. The default reach includes everything
  /// that they depend on: referenced objects, cascade-deleted objects and required objects. Such a seed loads
  /// into an empty store.
  ///
  /// - Throws: an `ExplorationFailure` with the code `tooLarge` if the objects do not fit into the memory
  ///   limit, and the errors of the query.
  package func seed(
    of subject: SeedSubject,
    reach: DumpReach = .needed,
    within limit: Duration
  ) async throws -> ExportedSeed {
    let (explored, room) = (explored, room)
    do {
      return try await explored.read(within: limit) { context in
        // An unreadable value must not appear as a missing one.
        let seed = try context.throwingReadFailures {
          let request = try subject.request(explored, context: context)
          let dump = StoreDump(explored.coordinator)
          return try dump.seed(of: request, in: context, within: room, reach: reach)
        }
        return ExportedSeed(
          counts: seed.entities.map { ($0.name, $0.records.count) },
          omissions: seed.omissions,
          text: try SeedJSON.data(of: seed)
        )
      }
    } catch let exceeded as SeedSizeLimit.Exceeded {
      throw ExplorationFailure(
        code: .tooLarge,
        problem: "the objects are too many for a page to write a seed of: \(exceeded.words)",
        remedy: "narrow them by a predicate, or write the seed by perennial dump"
      )
    }
  }

  /// The number of objects in the seed with each reach. A reach whose seed exceeds the memory limit is missing.
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
        } catch is SeedSizeLimit.Exceeded {
          continue
        }
      }
      return counts
    }
  }
}
