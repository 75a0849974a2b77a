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
      // The two authors have no natural key, and differ only in the objects that refer to them.
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

  private static func seed(_ store: GardenStore, _ predicate: String, _ room: SeedSizeLimit = SeedSizeLimit())
    async throws -> ExportedSeed
  {
    var query = GridQuery(entity: "Note")
    query.predicate = predicate
    let explored = try #require(ExploredStore(store.coordinator))
    return try await StoreSeeds(explored: explored, room: room).seed(of: .objects(query), within: patient)
  }

  @Test(arguments: GardenKind.allCases)
  func `A seed has what is chosen and all that it depends on, and nothing else`(kind: GardenKind) async throws {
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

  /// The note with a title, identified by its natural key.
  private static func note(of store: GardenStore, _ title: String = "Note 0") throws -> SeedSubject {
    let key = try store.write { context in try context.one("Note", "title", title)?.objectID.key }
    return .object(entity: "Note", key: try #require(key))
  }

  @Test(arguments: GardenKind.allCases)
  func `The seed of one object has it alone, what it owns or what it needs, and each is counted`(
    kind: GardenKind
  ) async throws {
    let store = try Self.filled(kind)
    let seeds = StoreSeeds(try #require(ExploredStore(store.coordinator)))
    let note = try Self.note(of: store)
    let expected: [DumpReach: [String: Int]] = [
      .keys: ["Note": 1], .owned: ["Note": 1, "Comment": 1],
      .needed: ["Note": 1, "Comment": 1, "Category": 1, "Author": 1],
    ]
    let totals = try await seeds.counts(of: note, within: Self.patient)
    for reach in DumpReach.allCases {
      let seed = try await seeds.seed(of: note, reach: reach, within: Self.patient)
      #expect(Dictionary(uniqueKeysWithValues: seed.counts) == expected[reach], "\(reach)")
      #expect(totals[reach] == expected[reach]?.values.reduce(0, +), "\(reach)")
    }
  }

  @Test func `The seed of one object names others by their keys, and says which have none`() async throws {
    let store = try Self.filled()
    let seeds = StoreSeeds(try #require(ExploredStore(store.coordinator)))
    let seed = try await seeds.seed(of: try Self.note(of: store), reach: .keys, within: Self.patient)
    let text = String(decoding: seed.text, as: UTF8.self)
    #expect(text.contains("\"Home\""))
    // Authors have no natural key.
    #expect(seed.omissions.count == 1)
    #expect(seed.omissions.first?.contains("author: it leads to Author") == true, "\(seed.omissions)")
  }

  @Test func `The seed of an object with what it owns loads into a store that has what it refers to`()
    async throws
  {
    let store = try Self.filled()
    let seeds = StoreSeeds(try #require(ExploredStore(store.coordinator)))
    let seed = try await seeds.seed(of: try Self.note(of: store), reach: .owned, within: Self.patient)
    let other = try GardenStore()
    try other.write { context in _ = context.add("Category", ["name": "Home"]) }
    _ = try Seeder(.data(seed.text, name: "seed.json")).runAndWait(in: other.coordinator)
    try other.write { context in
      let note = try #require(try context.one("Note", "title", "Note 0"))
      #expect(
        (note.value(forKey: "category") as? NSManagedObject)?.value(forKey: "name") as? String == "Home"
      )
      #expect((note.value(forKey: "comments") as? Set<NSManagedObject>)?.count == 1)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Category")) == 1)
    }
  }

  @Test func `A reach with more objects than fit has no count, and the others have`() async throws {
    let store = try Self.filled()
    var room = SeedSizeLimit()
    room.mostObjects = 3
    let seeds = StoreSeeds(explored: try #require(ExploredStore(store.coordinator)), room: room)
    let counts = try await seeds.counts(of: try Self.note(of: store), within: Self.patient)
    #expect(counts == [.keys: 1, .owned: 2])
  }

  @Test func `Objects that do not fit into memory are refused, with what can be done`() async throws {
    let store = try Self.filled()
    func expectRefusal(_ part: String, _ change: (inout SeedSizeLimit) -> Void) async {
      var room = SeedSizeLimit()
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
    // The seed identifies equal authors by the notes that refer to them and by the objects related to those notes.
    await expectRefusal("Category.notes leads from one of them to more than 29") { $0.mostRelated = 29 }
    var enough = SeedSizeLimit()
    (enough.mostObjects, enough.mostRelated) = (63, 30)
    #expect(try await Self.seed(store, "", enough).counts.map(\.count).reduce(0, +) == 63)
  }
}
