import CoreData
import Foundation
import Testing

@Suite("Query generations")
struct QueryGenerationTests {
  private let stack: Stack
  private let other: NSManagedObjectContext
  private let theirs: Note

  /// A context, and another one that has saved a note in a category.
  init() throws {
    stack = try Stack(.sqlite)
    other = stack.newContext()
    theirs = Note(context: other)
    theirs.title = "old"
    theirs.category = Category(context: other)
    try other.save()
  }

  private func titles(in context: NSManagedObjectContext? = nil) throws -> [String?] {
    try stack.fetch(Note.self, sort: [.byTitle], in: context).map(\.title)
  }

  private func saveNew(_ title: String) throws {
    let note = Note(context: other)
    note.title = title
    note.category = theirs.category
    try other.save()
  }

  @Test("are not used unless a context is pinned")
  func unpinned() throws {
    #expect(stack.context.queryGenerationToken == nil)
    #expect(try titles() == ["old"])
    try saveNew("new")
    #expect(try titles() == ["new", "old"])
  }

  @Test("keep fetches, counts, faults and relationships at one state")
  func pinned() throws {
    let category = try #require(try stack.fetch(Category.self).first)
    try stack.context.setQueryGenerationFrom(.current)
    #expect(stack.context.queryGenerationToken != nil)
    try saveNew("new")
    theirs.title = "changed"
    try other.save()
    #expect(try titles() == ["old"])
    #expect(try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
    #expect(category.notes.count == 1)
    stack.context.refreshAllObjects()
    #expect(try titles() == ["old"])
    try stack.context.setQueryGenerationFrom(nil)
    #expect(stack.context.queryGenerationToken == nil)
    stack.context.refreshAllObjects()
    #expect(try titles() == ["changed", "new"])
    #expect(category.notes.count == 2)
  }

  @Test("can be shared by contexts of one coordinator, and not by those of others")
  func shared() throws {
    try stack.context.setQueryGenerationFrom(.current)
    let token = try #require(stack.context.queryGenerationToken)
    try saveNew("new")
    let third = stack.newContext()
    try third.setQueryGenerationFrom(token)
    #expect(third.queryGenerationToken == token)
    #expect(try titles(in: third) == ["old"])
    let stranger = try Stack(.sqlite)
    #expect(throws: NSError.self) { try stranger.context.setQueryGenerationFrom(token) }
    #expect(throws: NSError.self) { try Stack(.childOfSQLite).context.setQueryGenerationFrom(.current) }
  }

  @Test("are left behind by a save, which names the one it leads to")
  func saving() throws {
    try stack.context.setQueryGenerationFrom(.current)
    let first = stack.context.queryGenerationToken
    try saveNew("new")
    let saved = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    stack.note("mine")
    try stack.context.save()
    let key = NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
    let token = try #require(saved.last?.userInfo?[key] as? NSQueryGenerationToken)
    #expect(token == stack.context.queryGenerationToken)
    #expect(token != first)
    #expect(try titles() == ["mine", "new", "old"])
    try saveNew("newer")
    #expect(try titles() == ["mine", "new", "old"])
  }

  @Test("are left behind by a reset and by a merge")
  func resetAndMerge() throws {
    try stack.context.setQueryGenerationFrom(.current)
    try saveNew("new")
    stack.context.reset()
    #expect(try titles() == ["new", "old"])
    let saved = Posted(.NSManagedObjectContextDidSave, by: other)
    try saveNew("newer")
    #expect(try titles() == ["new", "old"])
    stack.context.mergeChanges(fromContextDidSave: try #require(saved.last))
    #expect(try titles() == ["new", "newer", "old"])
  }

  @Test("do not hide conflicts")
  func conflicts() throws {
    try stack.context.setQueryGenerationFrom(.current)
    let mine = try #require(try stack.fetch(Note.self).first)
    theirs.title = "changed"
    try other.save()
    mine.title = "mine"
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == NSManagedObjectMergeError)
  }

  @Test("survive an archive in the process that keeps them")
  func archive() throws {
    try stack.context.setQueryGenerationFrom(.current)
    let data = try {
      let token = try #require(stack.context.queryGenerationToken)
      let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
      #expect(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data) == token
      )
      return data
    }()
    try stack.context.setQueryGenerationFrom(nil)
    #expect(
      (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)) == nil
    )
    let current = try NSKeyedArchiver.archivedData(
      withRootObject: NSQueryGenerationToken.current,
      requiringSecureCoding: true
    )
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: current)
        == NSQueryGenerationToken.current
    )
  }

  @Test("of stores that keep none are no hindrance")
  func inMemory() throws {
    let stack = try Stack(.inMemory)
    try stack.context.setQueryGenerationFrom(.current)
    let other = stack.newContext()
    other.note("new")
    try other.save()
    #expect(try stack.fetch(Note.self).map(\.title) == ["new"])
  }

  @Test("end when their store is removed")
  func removal() throws {
    try stack.context.setQueryGenerationFrom(.current)
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    #expect(throws: NSError.self) { try titles() }
  }
}
