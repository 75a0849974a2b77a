import Foundation
import Seeding
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct StoreSeedsTests {
  private static let patient = Duration.seconds(86_400)

  private static func filled(_ kind: GardenKind = .sqlite) throws -> GardenStore {
    let store = try GardenStore(kind)
    try store.write { context in
      let category = context.add("Category", ["name": "Home"])
      // Without a natural key, and alike but for what refers to them.
      let authors = (0..<2).map { _ in context.add("Author", ["firstName": "Ada"]) }
      for number in 0..<30 {
        let note = context.add(
          "Note",
          [
            "title": "Note \(number)", "rating": number, "category": category,
            "author": authors[number % 2],
          ]
        )
        context.add("Comment", ["text": "same", "note": note])
      }
    }
    return store
  }

  private static func seed(_ store: GardenStore, _ predicate: String, _ room: SeedRoom = SeedRoom())
    async throws -> ExportedSeed
  {
    var query = GridQuery(entity: "Note")
    query.predicate = predicate
    let explored = try #require(ExploredStore(store.coordinator))
    return try await StoreSeeds(explored, room).seed(of: .objects(query), within: patient)
  }

  @Test(arguments: GardenKind.allCases)
  func `A seed has what is chosen and all that it depends on, and nothing else`(kind: GardenKind) async throws
  {
    let store = try Self.filled(kind)
    let seed = try await Self.seed(store, "rating < 3")
    let counts = Dictionary(uniqueKeysWithValues: seed.counts)
    #expect(counts == ["Author": 2, "Category": 1, "Comment": 3, "Note": 3])
    #expect(seed.omissions.isEmpty)
    let fresh = try GardenStore()
    _ = try Seeder(.data(seed.text, name: "seed.json")).runAndWait(in: fresh.coordinator)
    let again = try await Self.seed(fresh, "")
    #expect(again.text == seed.text)
  }

  @Test func `Objects that do not fit into memory are refused, with what can be done`() async throws {
    let store = try Self.filled()
    func expectRefusal(_ part: String, _ change: (inout SeedRoom) -> Void) async {
      var room = SeedRoom()
      change(&room)
      let narrow = room
      await #expect {
        _ = try await Self.seed(store, "", narrow)
      } throws: { error in
        let failure = error as? ExplorationFailure
        return failure?.code == .tooLarge && "\(error)".contains(part)
          && "\(error)".contains("perennial dump")
      }
    }
    await expectRefusal("more than 60 objects") { $0.mostObjects = 60 }
    await expectRefusal("more than 500 bytes") { $0.mostBytes = 500 }
    // Authors that are alike are told apart by what is related to what refers to them.
    await expectRefusal("Category.notes leads from one of them to more than 29") { $0.mostRelated = 29 }
    var enough = SeedRoom()
    (enough.mostObjects, enough.mostRelated) = (63, 30)
    #expect(try await Self.seed(store, "", enough).counts.map(\.count).reduce(0, +) == 63)
  }
}
