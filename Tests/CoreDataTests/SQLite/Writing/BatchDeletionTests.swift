import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Batch deletion in SQLite")
struct BatchDeletionTests {
  @Test("a batch deletion leaves neither the rows nor a key that refers to them", arguments: [3, 600])
  func deletion(_ count: Int) throws {
    let stack = try Stack(.sqlite)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    for number in 0..<count {
      let note = stack.note("\(number)", rating: Int64(number), category, tags: [tag])
      let page = Page(context: stack.context)
      page.note = note
    }
    let employees = (0..<3).map { number in
      let employee = Employee(context: stack.context)
      employee.name = "\(number)"
      return employee
    }
    employees[1].manager = employees[0]
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
    let folder = try TemporaryFolder()
    let file = stack.folder.appendingPathComponent("store.sqlite")
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.predicate = try NSPredicate(parsing: "rating > 0", arguments: [])
    let deleted = try store.deleteAll(BatchDeletion(query: query)).references
    #expect(deleted.count == count - 1)
    #expect(deleted.allSatisfy { $0.store == store.index && $0.entity == 3 })
    #expect(try folder.query("SELECT ZTITLE FROM ZNOTE", at: file) == ["0"])
    #expect(try folder.query("SELECT COUNT(*) FROM Z_3TAGS", at: file) == [1])
    #expect(try folder.query("SELECT COUNT(*) FROM ZPAGE WHERE ZNOTE IS NULL", at: file) == [count - 1])
    #expect(
      try folder.query("SELECT COUNT(*) FROM ZPAGE WHERE ZNOTE IS NULL AND Z_OPT != 1", at: file) == [0]
    )
    var people = FetchQuery(entity: try TestRows.entity("Person"))
    people.predicate = try NSPredicate(parsing: "name == '0'", arguments: [])
    #expect(try store.deleteAll(BatchDeletion(query: people)).references.map(\.entity) == [6])
    #expect(
      try folder.query(
        "SELECT COUNT(*) FROM ZPERSON WHERE ZMANAGER NOT NULL OR Z5_MANAGER NOT NULL",
        at: file
      ) == [0]
    )
    query.predicate = NSPredicate(value: false)
    #expect(try store.deleteAll(BatchDeletion(query: query)).count == 0)
  }
}
