import CoreData
import Foundation
import Testing

@Suite("Chains of contexts")
struct ParentChainTests {
  /// A root context on a store, and a chain of the given number of descendants, each the child of the previous one.
  private final class Chain {
    let stack: Stack
    let contexts: [NSManagedObjectContext]

    init(_ kind: StoreKind, depth: Int) throws {
      stack = try Stack(kind)
      var contexts = [stack.context]
      for _ in 0..<depth {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = contexts.last
        contexts.append(child)
      }
      self.contexts = contexts
    }

    var last: NSManagedObjectContext { contexts[contexts.count - 1] }

    func save() throws {
      for context in contexts.reversed() { try context.save() }
    }
  }

  static let stores = [StoreKind.inMemory, .sqlite]

  @Test("each save moves changes one context up the chain", arguments: stores)
  func up(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 3)
    Note(context: chain.last).title = "deep"
    for (index, context) in chain.contexts.enumerated().reversed() {
      #expect(context.insertedObjects.count == 1, "\(index)")
      try context.save()
      #expect(context.insertedObjects.isEmpty, "\(index)")
    }
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).map(\.title) == ["deep"])
  }

  @Test("a fetch at the end of a chain finds unsaved ancestors' changes", arguments: stores)
  func down(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 3)
    for (index, context) in chain.contexts.enumerated() { Note(context: context).title = "\(index)" }
    let titles = try chain.stack.fetch(Note.self, sort: [.byTitle], in: chain.last).map(\.title)
    #expect(titles == ["0", "1", "2", "3"])
    #expect(try chain.stack.fetch(Note.self, in: chain.contexts[1]).count == 2)
  }

  @Test("an object is one in each context, and another in each", arguments: stores)
  func objects(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let note = chain.stack.note("one")
    let others = try chain.contexts.dropFirst().map {
      try #require(try chain.stack.fetch(Note.self, in: $0).first)
    }
    #expect(others[0] !== note && others[1] !== note && others[0] !== others[1])
    #expect(others.map(\.title) == ["one", "one"])
    #expect(others.map(\.objectID) == [note.objectID, note.objectID])
  }

  @Test("what changes in a child stays there until it is saved", arguments: stores)
  func isolated(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let note = chain.stack.note("one")
    try chain.stack.context.save()
    let same = try #require(try chain.last.existingObject(with: note.objectID) as? Note)
    same.title = "two"
    #expect(note.title == "one" && !note.hasChanges)
    try chain.last.save()
    #expect(note.title == "two" && note.isUpdated)
  }

  @Test("a child's deletion reaches its parent as one", arguments: stores)
  func deletion(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let note = chain.stack.note("one")
    try chain.save()
    chain.last.delete(try chain.last.existingObject(with: note.objectID))
    try chain.last.save()
    #expect(chain.contexts[1].deletedObjects.count == 1 && !note.isDeleted)
    try chain.contexts[1].save()
    #expect(note.isDeleted)
    try chain.stack.context.save()
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).isEmpty)
  }

  @Test("a parent does not reapply delete rules that its child applied", arguments: stores)
  func deleteRules(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let category = chain.stack.category("c")
    chain.stack.note("one", category)
    try chain.save()
    chain.last.delete(chain.last.object(with: category.objectID))
    try chain.save()
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).isEmpty)
    #expect(try chain.stack.fetch(Category.self, in: chain.stack.newContext()).isEmpty)
  }

  @Test("relationships between new objects of different contexts of a chain are kept", arguments: stores)
  func relationships(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let category = chain.stack.category("c")
    let note = Note(context: chain.last)
    note.title = "one"
    note.category = chain.last.object(with: category.objectID) as? Category
    try chain.save()
    let saved = try #require(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).first)
    #expect(saved.category?.name == "c")
    #expect(category.notes.count == 1)
  }

  @Test("the order of a relationship goes up with the changes", arguments: stores)
  func order(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let note = Note(context: chain.last)
    note.title = "one"
    let pages = (0..<3).map { number -> Page in
      let page = Page(context: chain.last)
      page.number = Int16(number)
      return page
    }
    note.pages = NSOrderedSet(array: pages.reversed())
    try chain.save()
    let saved = try #require(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).first)
    #expect((saved.pages.array as? [Page])?.map(\.number) == [2, 1, 0])
  }

  @Test("a failed save of the root leaves the changes in it", arguments: stores)
  func failure(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let note = chain.stack.note("one")
    try chain.save()
    try chain.stack.changeElsewhere(note) { $0.title = "theirs" }
    (try chain.last.existingObject(with: note.objectID) as? Note)?.rating = 9
    try chain.last.save()
    #expect(throws: NSError.self) { try chain.stack.context.save() }
    #expect(note.rating == 9 && note.isUpdated)
    chain.stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try chain.save()
    let saved = try #require(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).first)
    #expect(saved.rating == 9 && saved.title == "theirs")
  }

  @Test("validation refuses the save of a child, and its parent hears nothing", arguments: stores)
  func validation(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    _ = Note(context: chain.last)
    #expect(throws: NSError.self) { try chain.last.save() }
    #expect(!chain.stack.context.hasChanges)
  }

  @Test("a rollback of a parent leaves its child's changes alone", arguments: stores)
  func rollback(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    Note(context: chain.last).title = "child's"
    chain.stack.note("parent's")
    chain.stack.context.rollback()
    #expect(chain.last.insertedObjects.count == 1)
    try chain.save()
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).map(\.title) == ["child's"])
  }

  @Test("a child can be saved again and again before its parent is", arguments: stores)
  func again(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let note = Note(context: chain.last)
    for number in 0..<4 {
      note.title = "\(number)"
      try chain.last.save()
    }
    try chain.stack.context.save()
    note.title = "5"
    try chain.save()
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.newContext()).map(\.title) == ["5"])
  }

  @Test("an undo of the parent reverts a child's save", arguments: stores)
  func undo(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let note = chain.stack.note("one")
    try chain.save()
    chain.stack.context.undoManager = UndoManager()
    (try chain.last.existingObject(with: note.objectID) as? Note)?.title = "two"
    try chain.last.save()
    #expect(note.title == "two")
    chain.stack.context.undo()
    #expect(note.title == "one" && !chain.stack.context.hasChanges)
  }

  @Test("two children of one parent see each other's changes when they are saved", arguments: stores)
  func siblings(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 1)
    let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sibling.parent = chain.stack.context
    Note(context: chain.last).title = "one"
    #expect(try chain.stack.fetch(Note.self, in: sibling).isEmpty)
    try chain.last.save()
    #expect(try chain.stack.fetch(Note.self, in: sibling).map(\.title) == ["one"])
  }

  @Test("IDs become permanent in all contexts of the chain when the root is saved", arguments: stores)
  func permanentIDs(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 2)
    let note = Note(context: chain.last)
    note.title = "one"
    let temporary = note.objectID
    try chain.save()
    let found = try #require(try chain.stack.fetch(Note.self, in: chain.last).first)
    #expect(found === note && !note.objectID.isTemporaryID)
    #expect(chain.last.object(with: temporary) === note)
  }

  @Test("permanent IDs that are requested late are the store's", arguments: stores)
  func obtainedAfterSaves(_ kind: StoreKind) throws {
    for depth in 1...3 {
      let chain = try Chain(kind, depth: depth)
      let notes = ["one", "two"].map { title in
        let note = Note(context: chain.last)
        note.title = title
        return note
      }
      try chain.save()
      // Each object is in the list twice, and gets one ID.
      try chain.last.obtainPermanentIDs(for: notes + notes)
      let found = try chain.stack.fetch(Note.self, in: chain.stack.sibling())
      #expect(Set(found.map(\.objectID)) == Set(notes.map(\.objectID)), "depth \(depth)")
    }
  }

  @Test("permanent IDs that a child requests are its parents' IDs", arguments: stores)
  func obtainedHalfWay(_ kind: StoreKind) throws {
    let chain = try Chain(kind, depth: 3)
    let note = Note(context: chain.last)
    note.title = "one"
    try chain.contexts[3].save()
    try chain.contexts[2].save()
    try chain.last.obtainPermanentIDs(for: [note, note])
    let objectID = note.objectID
    #expect(!objectID.isTemporaryID)
    try chain.save()
    #expect(note.objectID == objectID)
    #expect(try chain.stack.fetch(Note.self, in: chain.stack.sibling()).map(\.objectID) == [objectID])
  }
}
