import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Groups and the state of a context")
struct AggregateStateTests {
  private let stack: Stack

  /// Four saved notes, two of which are in a category.
  init() throws {
    stack = try Stack(.sqlite, recording: [.bindings])
    let category = stack.category("c")
    for (number, title) in ["a", "b", "a", "c"].enumerated() {
      stack.note(title, rating: Int64(number), number < 2 ? category : nil)
    }
    try stack.save()
  }

  /// The statements that a request executes, and its results.
  private func fetch(
    _ request: AggregateRequest,
    in context: NSManagedObjectContext? = nil
  ) throws -> (sql: [SQLStatement], found: [NSDictionary]) {
    var found: [NSDictionary] = []
    let sql = try stack.executed { found = try (context ?? stack.context).fetch(request.request()) }
    return (sql, found)
  }

  private static let total = AggregateRequest.column("total", "sum:(rating)", .integer64AttributeType)

  @Test("groups include unsaved changes of the objects, and of those along key paths")
  func unsavedChanges() throws {
    var request = AggregateRequest(
      properties: ["category.name", AggregateRequest.column("count", "count:(SELF)")],
      groupBy: ["category.name"],
      sort: [
        NSSortDescriptor(key: "count", ascending: true),
        NSSortDescriptor(key: "category.name", ascending: true),
      ]
    )
    let category = try #require(try stack.fetch(Category.self).first)
    category.name = "new"
    var (sql, found) = try fetch(request)
    #expect(sql.allSatisfy { !$0.sql.contains("GROUP BY") })
    #expect(found == [["count": 2], ["count": 2, "category.name": "new"]])
    request.includesPendingChanges = false
    (sql, found) = try fetch(request)
    #expect(sql.count == 1 && sql[0].sql.contains("GROUP BY"))
    #expect(found == [["count": 2], ["count": 2, "category.name": "c"]])
    request.includesPendingChanges = true
    stack.context.rollback()
    _ = stack.tag("of another entity")
    (sql, found) = try fetch(request)
    #expect(sql.count == 1 && sql[0].sql.contains("GROUP BY"))
    let note = stack.note("unsaved", category)
    (sql, found) = try fetch(request)
    #expect(found == [["count": 2], ["count": 3, "category.name": "c"]])
    stack.context.delete(note)
    try stack.save()
  }

  @Test("groups of a child context include its parent's unsaved changes")
  func children() throws {
    let (parent, child) = (
      stack.newContext(), NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    )
    child.parent = parent
    let request = AggregateRequest(properties: [Self.total])
    var (sql, found) = try fetch(request, in: child)
    #expect(sql.map(\.sql) == ["SELECT COALESCE(SUM(t0.ZRATING), 0) FROM ZNOTE t0"])
    #expect(found == [["total": 6]])
    let note = try #require(try stack.fetch(Note.self, "rating == 3", in: parent).first)
    note.rating = 10
    (sql, found) = try fetch(request, in: child)
    #expect(sql.allSatisfy { !$0.sql.contains("SUM") })
    #expect(found == [["total": 13]])
  }

  @Test("groups of a pinned context are those of its generation")
  func pinned() throws {
    let pinned = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    stack.note("later", rating: 100)
    try stack.save()
    let request = AggregateRequest(properties: [Self.total])
    let (sql, found) = try fetch(request, in: pinned)
    #expect(sql.count == 1 && found == [["total": 6]])
    try pinned.setQueryGenerationFrom(nil)
    #expect(try fetch(request, in: pinned).found == [["total": 106]])
  }

  @Test("groups within a transaction of many saves include its saves")
  func transaction() throws {
    let request = AggregateRequest(properties: [Self.total])
    try stack.coordinator.performTransaction { context in
      let note = Note(context: context)
      (note.title, note.rating) = ("in it", 50)
      try context.save()
      let (sql, found) = try fetch(request, in: context)
      #expect(sql.count == 1 && found == [["total": 56]])
      #expect(try fetch(request).found == [["total": 6]])
    }
    #expect(try fetch(request).found == [["total": 56]])
  }

  @Test("groups across stores are formed of objects, and those of one store in SQL")
  func severalStores() throws {
    let file = stack.folder.appendingPathComponent("second.sqlite")
    let second = try stack.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    let note = stack.note("a", rating: 20)
    stack.context.assign(note, to: second)
    try stack.save()
    let request = AggregateRequest(properties: ["title", Self.total], groupBy: ["title"], sort: [.byTitle])
    let (sql, found) = try fetch(request)
    #expect(sql.allSatisfy { !$0.sql.contains("GROUP BY") })
    #expect(found.map { $0["total"] as? Int } == [22, 1, 3])
    let ofOne = request.request()
    ofOne.affectedStores = [second]
    var ofSecond: [NSDictionary] = []
    let asked = try stack.executed { ofSecond = try stack.context.fetch(ofOne) }
    #expect(asked.count == 1)
    #expect(ofSecond == [["title": "a", "total": 20]])
  }
}
