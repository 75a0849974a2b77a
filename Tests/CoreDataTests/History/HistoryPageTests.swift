import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Pages of a history")
struct HistoryPageTests {
  /// Three saves by two authors: two notes, an update, and a deletion together with a new tag.
  private static func fill(_ context: NSManagedObjectContext) throws -> [Note] {
    context.transactionAuthor = "Ada"
    let notes = [context.note("one"), context.note("two")]
    try context.save()
    context.transactionAuthor = "Bob"
    notes[0].title = "changed"
    try context.save()
    context.delete(notes[1])
    _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    try context.save()
    return notes
  }

  private static func page(
    _ context: NSManagedObjectContext,
    limit: Int = 10,
    changeLimit: Int = 10,
    _ choose: (inout HistorySelection) -> Void = { _ in }
  ) throws -> HistoryPage {
    let coordinator = try #require(context.persistentStoreCoordinator)
    var selection = HistorySelection(limit: limit, changeLimit: changeLimit)
    choose(&selection)
    return try #require(try coordinator.historyPage(selection, of: coordinator.persistentStores[0]))
  }

  @Test(
    "history pages have the newest transactions first, with their numbers of changes",
    arguments: StoreKind.sharedByPrograms
  )
  func order(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    _ = try Self.fill(context)
    let page = try Self.page(context)
    #expect(page.transactions.map(\.author) == ["Bob", "Bob", "Ada"])
    #expect(!page.hasMore)
    let counts = page.transactions.map { page.counts[$0.transactionNumber] }
    #expect(counts.map { $0?.inserted } == [1, 0, 2])
    #expect(counts.map { $0?.updated } == [0, 1, 0])
    #expect(counts.map { $0?.deleted } == [1, 0, 0])
    #expect(page.transactions.map { $0.changes?.count } == [2, 1, 2])
  }

  @Test("a history page continues where the previous one ended", arguments: StoreKind.sharedByPrograms)
  func paging(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    _ = try Self.fill(context)
    let first = try Self.page(context, limit: 2)
    #expect(first.hasMore && first.transactions.count == 2)
    let second = try Self.page(context, limit: 2) { $0.before = first.transactions.last?.transactionNumber }
    #expect(!second.hasMore && second.transactions.map(\.author) == ["Ada"])
  }

  @Test("history pages limit the changes, and count all of them", arguments: StoreKind.sharedByPrograms)
  func changeLimit(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    _ = try Self.fill(context)
    let page = try Self.page(context, changeLimit: 1)
    #expect(page.transactions.map { $0.changes?.count } == [1, 1, 1])
    #expect(page.transactions.last.flatMap { page.counts[$0.transactionNumber]?.inserted } == 2)
    #expect(try Self.page(context, changeLimit: 0).transactions.allSatisfy { $0.changes?.isEmpty ?? true })
  }

  @Test(
    "history pages can be limited to an entity, an object, an author and a time",
    arguments: StoreKind.sharedByPrograms
  )
  func selections(_ kind: StoreKind) throws {
    let store = try TrackedStore(kind)
    let context = try store.context()
    let notes = try Self.fill(context)
    let tag = try #require(store.model.entitiesByName["Tag"])
    let ofTags = try Self.page(context) { $0.objects = .entities([tag]) }
    #expect(ofTags.transactions.count == 1)
    #expect(ofTags.transactions.first?.changes?.map(\.changeType) == [.insert])
    #expect(ofTags.counts.values.map(\.deleted) == [0])
    let ofNote = try Self.page(context) { $0.objects = .object(notes[0].objectID) }
    #expect(ofNote.transactions.flatMap { $0.changes ?? [] }.map(\.changeType) == [.update, .insert])
    #expect(try Self.page(context) { $0.author = "Ada" }.transactions.count == 1)
    #expect(try Self.page(context) { $0.author = "Ada' OR '1'='1" }.transactions.isEmpty)
    #expect(try Self.page(context) { $0.since = .distantFuture }.transactions.isEmpty)
    #expect(try Self.page(context) { $0.until = .distantFuture }.transactions.count == 3)
    let coordinator = try #require(context.persistentStoreCoordinator)
    #expect(
      try coordinator.historyAuthors(of: coordinator.persistentStores[0], limit: 10) == ["Ada", "Bob"]
    )
    #expect(try coordinator.historyAuthors(of: coordinator.persistentStores[0], limit: 1) == ["Ada"])
  }
}
