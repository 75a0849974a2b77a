import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("A single value that cannot be read")
struct UnreadableValueTests {
  private let stack: Stack
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    stack = try Stack(.sqlite)
    folder = try TemporaryFolder()
    file = stack.folder.appendingPathComponent("store.sqlite")
    stack.note("a", rating: 5).setValue(Data([1, 2]), forKey: "body")
    stack.note("b", rating: 6)
    try stack.save()
    try edit("UPDATE ZNOTE SET ZRATING = 'many', ZBODY = 7 WHERE ZTITLE = 'a'")
  }

  private func edit(_ sql: String) throws { try folder.execute(sql, at: file) }

  private func column(_ name: String) throws -> String? {
    let sql = "SELECT IFNULL(typeof(\(name)) || ' ' || \(name), 'null') FROM ZNOTE WHERE ZTITLE = 'a'"
    let found: [String] = try folder.query(sql, at: file)
    return found.first
  }

  private func notes(_ context: NSManagedObjectContext) throws -> [Note] {
    try stack.fetch(Note.self, sort: [.byTitle], in: context)
  }

  @Test("an unreadable value fails each time with its name, and other values are readable")
  func alone() throws {
    let context = stack.newContext()
    let keys = Mutex<[String?]>([])
    let notes = try notes(context)
    try withExtendedLifetime(context) {
      context.readFailureHandling = .call { failure in keys.withLock { $0.append(failure.key) } }
      #expect(notes.map(\.title) == ["a", "b"])
      #expect(keys.withLock { $0 }.isEmpty)
      #expect(notes.map(\.rating) == [0, 6])
      #expect(notes[0].value(forKey: "rating") == nil)
      #expect(notes[0].primitiveValue(forKey: "body") == nil)
      #expect(keys.withLock { $0 } == ["rating", "rating", "body"])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedDescription.contains("ZNOTE.ZRATING of the row 1 holds a text") == true)
      try context.save()
    }
  }

  @Test("an unreadable value stays stored when other values are saved, also by child contexts")
  func untouched() throws {
    let context = stack.newContext()
    context.mergePolicy = NSMergePolicy.overwrite
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    let note = try #require(try notes(child).first)
    note.createdAt = Date(timeIntervalSinceReferenceDate: 5.5)
    try edit("UPDATE ZNOTE SET Z_OPT = 7")
    #expect(note.rating == 0)
    #expect(throws: NSError.self) { try child.save() }
    try child.save()
    try context.save()
    #expect(try column("ZCREATEDAT") == "real 5.5")
    #expect(try column("ZRATING") == "text many")
    #expect(try column("ZBODY") == "integer 7")
  }

  @Test("an unreadable value can be replaced by another value or by nil")
  func replaced() throws {
    let context = stack.newContext()
    let note = try #require(try notes(context).first)
    note.rating = 4
    note.setValue(nil, forKey: "body")
    #expect(note.rating == 4)
    #expect(note.value(forKey: "body") == nil)
    try context.save()
    #expect(try column("ZRATING") == "integer 4")
    #expect(try column("ZBODY") == "null")
    let saved = stack.newContext()
    #expect(try notes(saved).map(\.rating) == [4, 6])
    try saved.throwReadFailure()
  }

  @Test("only dictionary fetches of an unreadable value throw its error")
  func dictionaries() throws {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    #expect(try stack.newContext().fetch(request).count == 2)
    request.propertiesToFetch = ["title", "rating"]
    #expect(throws: NSError.self) { try stack.newContext().fetch(request) }
  }

  @Test("copying a store with an unreadable value fails")
  func copied() throws {
    let store = try #require(stack.coordinator.persistentStores.first)
    let copy = stack.folder.appendingPathComponent("copy.xml")
    #expect(throws: NSError.self) {
      try stack.coordinator.migratePersistentStore(store, to: copy, options: nil, type: .xml)
    }
  }
}
