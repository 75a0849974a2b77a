import CoreData
import Foundation
import Testing

@Suite("Undo and redo in a context")
struct UndoTests {
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    stack.context.undoManager = UndoManager()
    return stack
  }

  /// Ends the event, so that later changes are undone separately.
  private func endEvent(_ stack: Stack) {
    stack.context.processPendingChanges()
    stack.context.undoManager?.groupsByEvent = true
    stack.context.perform {}
    stack.context.performAndWait {}
  }

  @Test("a context has no undo manager unless it is given one", arguments: StoreKind.allCases)
  func none(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    #expect(stack.context.undoManager == nil)
    stack.note("one")
    stack.context.undo()
    stack.context.redo()
    #expect(stack.context.insertedObjects.count == 1)
  }

  @Test("a changed value is undone and redone", arguments: StoreKind.allCases)
  func value(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    endEvent(stack)
    note.title = "two"
    note.rating = 9
    stack.context.undo()
    #expect(note.title == "one" && note.rating == 3)
    stack.context.redo()
    #expect(note.title == "two" && note.rating == 9)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.title == "two")
  }

  @Test("an object whose only change was undone has no changes", arguments: StoreKind.allCases)
  func noChanges(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    endEvent(stack)
    note.title = "two"
    stack.context.undo()
    #expect(!note.hasChanges)
    #expect(!stack.context.hasChanges)
    stack.context.redo()
    #expect(note.isUpdated)
    #expect(stack.context.updatedObjects == [note])
  }

  @Test("an undone insertion leaves nothing to save, and is redone", arguments: StoreKind.allCases)
  func insertion(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    stack.context.undo()
    #expect(!stack.context.hasChanges)
    #expect(stack.context.insertedObjects.isEmpty)
    #expect(try stack.fetch(Note.self).isEmpty)
    stack.context.redo()
    #expect(stack.context.insertedObjects == [note])
    #expect(note.title == "one")
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
  }

  @Test("undoing a deletion restores the object", arguments: StoreKind.allCases)
  func deletion(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    endEvent(stack)
    stack.context.delete(note)
    stack.context.undo()
    #expect(!note.isDeleted)
    #expect(stack.context.deletedObjects.isEmpty)
    stack.context.redo()
    #expect(stack.context.deletedObjects == [note])
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test("undoing a deletion also undoes its delete rules", arguments: StoreKind.allCases)
  func deleteRules(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    let note = stack.note("one", category, tags: [tag])
    try stack.save()
    endEvent(stack)
    stack.context.delete(category)
    stack.context.processPendingChanges()
    #expect(note.isDeleted && tag.notes.isEmpty)
    stack.context.undo()
    #expect(!note.isDeleted && !category.isDeleted)
    #expect(note.category === category && category.notes == [note])
    #expect(tag.notes == [note] && note.tags == [tag])
    #expect(!stack.context.hasChanges)
  }

  @Test("a to-one relationship is undone on both sides", arguments: StoreKind.allCases)
  func toOne(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let (old, new) = (stack.category("old"), stack.category("new"))
    let note = stack.note("one", old)
    try stack.save()
    endEvent(stack)
    note.category = new
    stack.context.undo()
    #expect(note.category === old && old.notes == [note] && new.notes.isEmpty)
    stack.context.redo()
    #expect(note.category === new && new.notes == [note] && old.notes.isEmpty)
  }

  @Test("a to-many relationship is undone on both sides", arguments: StoreKind.allCases)
  func toMany(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let tags = ["a", "b", "c"].map(stack.tag)
    let note = stack.note("one", tags: [tags[0], tags[1]])
    try stack.save()
    endEvent(stack)
    note.tags = [tags[1], tags[2]]
    stack.context.undo()
    #expect(note.tags == [tags[0], tags[1]])
    #expect(tags.map { $0.notes.count } == [1, 1, 0])
    stack.context.redo()
    #expect(note.tags == [tags[1], tags[2]])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.tags.compactMap(\.name).sorted() == ["b", "c"])
  }

  @Test("the order of a relationship is undone", arguments: StoreKind.allCases)
  func order(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    let pages = (0..<3).map { _ in Page(context: stack.context) }
    note.pages = NSOrderedSet(array: pages)
    try stack.save()
    endEvent(stack)
    note.pages = NSOrderedSet(array: [pages[2], pages[0]])
    stack.context.undo()
    #expect(note.pages.array as? [Page] == pages)
    stack.context.redo()
    #expect(note.pages.array as? [Page] == [pages[2], pages[0]])
  }

  @Test("an undone insertion leaves the relationships that it was put into", arguments: StoreKind.allCases)
  func insertionIntoRelationship(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let category = stack.category("c")
    try stack.save()
    endEvent(stack)
    let note = stack.note("one", category)
    stack.context.undo()
    #expect(category.notes.isEmpty)
    stack.context.redo()
    #expect(category.notes == [note] && note.category === category)
  }

  @Test("changes of the same event are undone together", arguments: StoreKind.allCases)
  func oneEvent(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.undoManager?.removeAllActions()
    for title in ["two", "three"] {
      note.title = title
      stack.context.processPendingChanges()
    }
    stack.context.undo()
    #expect(note.title == "one")
  }

  @Test("undo groups are undone one by one", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let manager = try #require(stack.context.undoManager)
    manager.groupsByEvent = false
    manager.disableUndoRegistration()
    let note = stack.note("one")
    try stack.save()
    manager.enableUndoRegistration()
    for title in ["two", "three"] {
      manager.beginUndoGrouping()
      note.title = title
      stack.context.processPendingChanges()
      manager.endUndoGrouping()
    }
    stack.context.undo()
    #expect(note.title == "two")
    stack.context.undo()
    #expect(note.title == "one")
    stack.context.redo()
    stack.context.redo()
    #expect(note.title == "three")
  }

  @Test("each block that a context performs is an event", arguments: StoreKind.allCases)
  func performedEvents(_ kind: StoreKind) async throws {
    let stack = try stack(kind)
    let box = NoteBox(stack.note("one"))
    try stack.save()
    for title in ["two", "three"] {
      await stack.context.perform { box.note.title = title }
    }
    let titles = await stack.context.perform { () -> [String?] in
      stack.context.undo()
      let first = box.note.title
      stack.context.undo()
      return [first, box.note.title]
    }
    #expect(titles == ["two", "one"])
  }

  @Test("changes made while registration is disabled are not undone", arguments: StoreKind.allCases)
  func disabled(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    stack.context.processPendingChanges()
    stack.context.undoManager?.disableUndoRegistration()
    note.title = "two"
    stack.context.processPendingChanges()
    stack.context.undoManager?.enableUndoRegistration()
    #expect(stack.context.undoManager?.canUndo == true)
    stack.context.undo()
    #expect(try stack.fetch(Note.self).isEmpty)
  }

  @Test("rollback and reset empty the undo stack", arguments: StoreKind.allCases)
  func emptied(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    stack.note("one")
    stack.context.processPendingChanges()
    #expect(stack.context.undoManager?.canUndo == true)
    stack.context.rollback()
    #expect(stack.context.undoManager?.canUndo == false)
    stack.note("two")
    stack.context.processPendingChanges()
    stack.context.reset()
    #expect(stack.context.undoManager?.canUndo == false)
  }

  @Test("a context keeps others' registrations in its undo manager", arguments: StoreKind.allCases)
  func sharedManager(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let box = NoteBox(stack.note("one"))
    stack.context.undoManager?.registerUndo(withTarget: box) { $0.isTold = true }
    stack.context.rollback()
    stack.context.undo()
    #expect(box.isTold)
  }

  @Test("a manager that is taken away forgets the context", arguments: StoreKind.allCases)
  func takenAway(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let manager = try #require(stack.context.undoManager)
    stack.note("one")
    stack.context.processPendingChanges()
    #expect(manager.canUndo)
    stack.context.undoManager = nil
    #expect(!manager.canUndo)
  }

  private final class NoteBox: @unchecked Sendable {
    let note: Note
    var isTold = false

    init(_ note: Note) { self.note = note }
  }
}
