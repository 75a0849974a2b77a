import CoreData
import Foundation
import Testing

@Suite("Query generations")
struct QueryGenerationTests {
  /// A context, and another one that has saved a note in a category.
  private struct TwoContexts {
    let stack: Stack
    let other: NSManagedObjectContext
    let theirs: Note

    init(_ kind: StoreKind) throws {
      stack = try Stack(kind)
      other = stack.newContext()
      theirs = Note(context: other)
      theirs.title = "old"
      theirs.category = Category(context: other)
      try other.save()
    }

    func titles(in context: NSManagedObjectContext? = nil) throws -> [String?] {
      try stack.fetch(Note.self, sort: [.byTitle], in: context).map(\.title)
    }

    func saveNew(_ title: String) throws {
      let note = Note(context: other)
      note.title = title
      note.category = theirs.category
      try other.save()
    }
  }

  @Test("contexts have no query generation by default", arguments: StoreKind.sharedByPrograms)
  func unpinned(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    #expect(stack.context.queryGenerationToken == nil)
    #expect(try both.titles() == ["old"])
    try both.saveNew("new")
    #expect(try both.titles() == ["new", "old"])
  }

  @Test(
    "a query generation keeps fetches, counts, faults and relationships at one state",
    arguments: StoreKind.sharedByPrograms
  )
  func pinned(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    let category = try #require(try stack.fetch(Category.self).first)
    try stack.context.setQueryGenerationFrom(.current)
    #expect(stack.context.queryGenerationToken != nil)
    try both.saveNew("new")
    both.theirs.title = "changed"
    try both.other.save()
    #expect(try both.titles() == ["old"])
    #expect(try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
    #expect(category.notes.count == 1)
    stack.context.refreshAllObjects()
    #expect(try both.titles() == ["old"])
    try stack.context.setQueryGenerationFrom(nil)
    #expect(stack.context.queryGenerationToken == nil)
    stack.context.refreshAllObjects()
    #expect(try both.titles() == ["changed", "new"])
    #expect(category.notes.count == 2)
  }

  @Test(
    "contexts of one coordinator can share a query generation, but not those of others",
    arguments: StoreKind.sharedByPrograms
  )
  func shared(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    try stack.context.setQueryGenerationFrom(.current)
    let token = try #require(stack.context.queryGenerationToken)
    try both.saveNew("new")
    let third = stack.newContext()
    try third.setQueryGenerationFrom(token)
    #expect(third.queryGenerationToken == token)
    #expect(try both.titles(in: third) == ["old"])
    let stranger = try Stack(kind)
    #expect(throws: NSError.self) { try stranger.context.setQueryGenerationFrom(token) }
    #expect(throws: NSError.self) {
      try Stack(kind == .sqlite ? .childOfSQLite : .childOfPostgreSQL).context.setQueryGenerationFrom(
        .current
      )
    }
  }

  @Test("a save moves to a new query generation, which it names", arguments: StoreKind.sharedByPrograms)
  func saving(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    try stack.context.setQueryGenerationFrom(.current)
    let first = stack.context.queryGenerationToken
    try both.saveNew("new")
    let saved = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    stack.note("mine")
    try stack.context.save()
    let key = NSManagedObjectContext.NotificationKey.queryGeneration.rawValue
    let token = try #require(saved.last?.userInfo?[key] as? NSQueryGenerationToken)
    #expect(token == stack.context.queryGenerationToken)
    #expect(token != first)
    #expect(try both.titles() == ["mine", "new", "old"])
    try both.saveNew("newer")
    #expect(try both.titles() == ["mine", "new", "old"])
  }

  @Test("a reset and a merge move to a new query generation", arguments: StoreKind.sharedByPrograms)
  func resetAndMerge(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    try stack.context.setQueryGenerationFrom(.current)
    try both.saveNew("new")
    stack.context.reset()
    #expect(try both.titles() == ["new", "old"])
    let saved = Posted(.NSManagedObjectContextDidSave, by: both.other)
    try both.saveNew("newer")
    #expect(try both.titles() == ["new", "old"])
    stack.context.mergeChanges(fromContextDidSave: try #require(saved.last))
    #expect(try both.titles() == ["new", "newer", "old"])
  }

  @Test("query generations do not hide conflicts", arguments: StoreKind.sharedByPrograms)
  func conflicts(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    try stack.context.setQueryGenerationFrom(.current)
    let mine = try #require(try stack.fetch(Note.self).first)
    both.theirs.title = "changed"
    try both.other.save()
    mine.title = "mine"
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == NSManagedObjectMergeError)
  }

  @Test("an archived token works in the process that made it", arguments: StoreKind.sharedByPrograms)
  func archive(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
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

  @Test("stores without query generations do not prevent pinning a context")
  func inMemory() throws {
    let stack = try Stack(.inMemory)
    try stack.context.setQueryGenerationFrom(.current)
    let other = stack.newContext()
    other.note("new")
    try other.save()
    #expect(try stack.fetch(Note.self).map(\.title) == ["new"])
  }

  @Test("query generations end when their store is removed", arguments: StoreKind.sharedByPrograms)
  func removal(_ kind: StoreKind) throws {
    let both = try TwoContexts(kind)
    let stack = both.stack
    try stack.context.setQueryGenerationFrom(.current)
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    #expect(throws: NSError.self) { try both.titles() }
  }
}
