import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct TimelineTests {
  private static let tracking: [String: any Sendable] = [NSPersistentHistoryTrackingKey: true]

  private static func model() -> NSManagedObjectModel {
    let model = Garden.model()
    model.entitiesByName["Note"]?.attributesByName["title"]?.preservesValueInHistoryOnDeletion = true
    return model
  }

  /// A store with this history: Ada inserts two notes and a tag, Bob renames one note, Ada deletes the other note.
  private static func store() throws -> (GardenStore, beans: NSManagedObjectID, peas: NSManagedObjectID) {
    let store = try GardenStore(model: model(), options: tracking)
    let ids = try store.write(by: "Ada") { context in
      context.name = "garden"
      let beans = context.add("Note", ["title": "Beans"])
      let peas = context.add("Note", ["title": "Peas"])
      context.add("Tag", ["name": "green"])
      try context.save()
      return [beans.objectID, peas.objectID]
    }
    try store.write(by: "Bob") { context in
      let beans = context.object(with: ids[0])
      beans.setValue("Broad beans", forKey: "title")
      beans.setValue(5, forKey: "rating")
    }
    try store.write(by: "Ada") { context in context.delete(context.object(with: ids[1])) }
    return (store, ids[0], ids[1])
  }

  @Test func `The timeline tells who saved what, the newest first`() async throws {
    let (store, beans, peas) = try Self.store()
    let page = try await Timeline(in: store.coordinator).page()
    #expect(page.next == nil)
    #expect(page.transactions.map(\.author) == ["Ada", "Bob", "Ada"])
    #expect(page.transactions.map(\.deletedCount) == [1, 0, 0])
    #expect(page.transactions.map(\.updatedCount) == [0, 1, 0])
    #expect(page.transactions.map(\.insertedCount) == [0, 0, 3])
    #expect(page.transactions[2].contextName == "garden")
    #expect(!page.transactions[0].process.isEmpty && !page.transactions[0].bundle.isEmpty)
    let deletion = try #require(page.transactions[0].changes.first)
    #expect(deletion.kind == .deleted && deletion.object.id == peas && !deletion.isThere)
    #expect(deletion.object.name == "Peas")
    #expect(deletion.tombstone == [.init(key: "title", value: "\"Peas\"")])
    let update = try #require(page.transactions[1].changes.first)
    #expect(update.properties == ["rating", "title"] && update.isThere)
    #expect(update.object == NamedObject(id: beans, name: "Broad beans"))
  }

  @Test func `It is filtered by entity, object, author and time`() async throws {
    let (store, beans, _) = try Self.store()
    let timeline = Timeline(in: store.coordinator)
    func numbers(_ change: (inout TimelineFilter) -> Void) async throws -> [Int] {
      var filter = TimelineFilter()
      change(&filter)
      return try await timeline.page(filter).transactions.map(\.changes.count)
    }
    #expect(try await numbers { $0.entity = "Tag" } == [1])
    #expect(try await numbers { $0.entity = "Note" } == [1, 1, 2])
    #expect(try await numbers { $0.entity = "Checklist" } == [])
    #expect(try await numbers { $0.object = beans } == [1, 1])
    #expect(try await numbers { $0.author = "Bob" } == [1])
    #expect(try await numbers { $0.author = "Nobody' OR 1=1" } == [])
    #expect(try await numbers { $0.until = .distantPast } == [])
    #expect(try await numbers { $0.since = .distantPast } == [1, 1, 3])
    let changes = try await timeline.changes(of: beans)
    #expect(changes.transactions.map(\.author) == ["Bob", "Ada"])
    #expect(changes.transactions.map(\.changes.first?.kind) == [.updated, .inserted])
    #expect(try await timeline.authors() == ["Ada", "Bob"])
    await #expect(throws: ExplorationFailure.self) { try await numbers { $0.entity = "Nothing" } }
  }

  @Test func `Pages follow each other without a gap, and a large transaction is told in part`() async throws {
    let store = try GardenStore(options: Self.tracking)
    for number in 0..<25 {
      try store.write { context in
        for part in 0...(number == 7 ? 500 : 0) { context.add("Tag", ["name": "\(number) \(part)"]) }
      }
    }
    let timeline = Timeline(in: store.coordinator)
    var numbers: [Int64] = []
    var next: Int64?
    repeat {
      let page = try await timeline.page(before: next, limit: 10, changeLimit: 20)
      numbers += page.transactions.map(\.number)
      for transaction in page.transactions where transaction.insertedCount > 20 {
        #expect(transaction.changes.count == 20 && transaction.untoldCount == 481)
      }
      next = page.next
    } while next != nil
    #expect(numbers.count == 25 && numbers == numbers.sorted(by: >) && Set(numbers).count == 25)
  }

  @Test func `A page of a long history reads as many rows as it tells`() async throws {
    let (store, beans, _) = try Self.store()
    let statements = await store.statements {
      _ = try? await Timeline(in: store.coordinator).changes(of: beans)
    }
    let history = statements.filter { $0.contains("ACHANGE") || $0.contains("ATRANSACTION") }
    #expect(history.contains { $0.contains("ZENTITYPK = ?") && $0.contains("ORDER BY Z_PK DESC LIMIT ?") })
    #expect(
      history.allSatisfy {
        $0.contains("LIMIT ?") || $0.contains("IN (") || $0.contains("MIN(") || $0.contains("Z_MAX")
      },
      "\(history)"
    )
  }

  @Test(arguments: GardenKind.allCases)
  func `A store without a history says how to begin one`(kind: GardenKind) async throws {
    let store = try GardenStore(kind)
    let timeline = Timeline(in: store.coordinator)
    #expect(!timeline.hasHistory)
    await #expect {
      try await timeline.page()
    } throws: { error in
      "\(error)".contains("NSPersistentHistoryTrackingKey")
    }
  }

  // MARK: - The difference between two moments

  private static let patient = Duration.seconds(86_400)

  @Test func `The difference of two moments is what came of each object in the end`() async throws {
    let (store, beans, peas) = try Self.store()
    let timeline = Timeline(in: store.coordinator)
    let numbers = try await timeline.page().transactions.map(\.number).sorted()
    let all = try await timeline.difference(from: nil, to: nil, within: Self.patient)
    // The peas were inserted and deleted between the two moments.
    #expect(all.counts.inserted == 2 && all.counts.passing == 1 && all.counts.all == 2)
    #expect(all.transactionCount == 3 && !all.isShortened && all.from == nil)
    #expect(all.changes.map(\.object.name) == ["Broad beans", "green"])
    let later = try await timeline.difference(from: numbers[0], to: nil, within: Self.patient)
    #expect(later.counts.updated == 1 && later.counts.deleted == 1 && later.counts.all == 2)
    let changes = Dictionary(uniqueKeysWithValues: later.changes.map { ($0.object.id, $0) })
    #expect(changes[beans]?.kind == .updated && changes[beans]?.properties == ["rating", "title"])
    #expect(changes[peas]?.kind == .deleted && changes[peas]?.object.name == "Peas")
    #expect(changes[peas]?.isThere == false)
    let middle = try await timeline.difference(from: numbers[0], to: numbers[1], within: Self.patient)
    #expect(middle.changes.map(\.object.id) == [beans])
    let none = try await timeline.difference(from: numbers[1], to: numbers[1], within: Self.patient)
    #expect(none.counts.all == 0 && none.transactionCount == 0)
    for odd: (Int64?, Int64?) in [(.max, .max), (.min, .min), (nil, 0), (999, nil)] {
      _ = try await timeline.difference(from: odd.0, to: odd.1, within: Self.patient)
    }
  }

  @Test func `Properties that several transactions have changed are told together, page by page`()
    async throws
  {
    let store = try GardenStore(options: Self.tracking)
    try store.write { context in for number in 0..<7 { context.add("Note", ["title": "\(number)"]) } }
    for key in ["rating", "weight"] {
      try store.write { context in
        for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
          note.setValue(3, forKey: key)
        }
      }
    }
    let timeline = Timeline(in: store.coordinator)
    let first = try #require(try await timeline.page().transactions.map(\.number).min())
    var keys: [Int64] = []
    for offset in stride(from: 0, through: 9, by: 3) {
      let page = try await timeline.difference(
        from: first,
        to: nil,
        offset: offset,
        limit: 3,
        within: Self.patient
      )
      #expect(page.counts.updated == 7)
      #expect(page.changes.allSatisfy { $0.properties == ["rating", "weight"] })
      keys += page.changes.map(\.object.id.key)
    }
    #expect(keys.count == 7 && keys == keys.sorted() && Set(keys).count == 7)
  }

  @Test func `Of more changes than are taken together the newest transactions are told, and it says so`()
    async throws
  {
    let store = try GardenStore(options: Self.tracking)
    for number in 0..<5 {
      try store.write { context in for part in 0..<4 { context.add("Tag", ["name": "\(number) \(part)"]) } }
    }
    let timeline = Timeline(in: store.coordinator)
    let numbers = try await timeline.page().transactions.map(\.number).sorted()
    func difference(_ most: Int) async throws -> TimelineDifference {
      try await timeline.difference(
        from: nil,
        to: nil,
        offset: 0,
        limit: 100,
        atMost: most,
        within: Self.patient
      )
    }
    let some = try await difference(9)
    #expect(some.isShortened && some.transactionCount == 2 && some.counts.inserted == 8)
    // The start that the shortened difference reports leads to the same difference when it is requested.
    #expect(some.from == numbers[3] - 1)
    let asked = try await timeline.difference(from: some.from, to: nil, within: Self.patient)
    #expect(asked.changes == some.changes && !asked.isShortened)
    let part = try await difference(3)
    #expect(part.partialTransaction == numbers[4] && part.counts.inserted == 3 && part.isShortened)
    #expect(try await difference(20).counts.inserted == 20)
  }

  @Test(arguments: GardenKind.allCases)
  func `Moments of a store without a history are a failure that says how to begin one`(kind: GardenKind)
    async throws
  {
    let store = try GardenStore(kind)
    await #expect {
      try await Timeline(in: store.coordinator).difference(from: nil, to: nil)
    } throws: { "\($0)".contains("NSPersistentHistoryTrackingKey") }
  }
}
