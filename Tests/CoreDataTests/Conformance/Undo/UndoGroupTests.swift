import CoreData
import Foundation
import Testing

@Suite("Groups of changes that are undone")
struct UndoGroupTests {
  /// A stack with a saved note, whose undo groups are opened and closed explicitly.
  private func stack(_ kind: StoreKind) throws -> (Stack, Note, UndoManager) {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let manager = UndoManager()
    manager.groupsByEvent = false
    stack.context.undoManager = manager
    return (stack, note, manager)
  }

  private func group(_ stack: Stack, _ manager: UndoManager, _ changes: () -> Void) {
    manager.beginUndoGrouping()
    changes()
    stack.context.processPendingChanges()
    manager.endUndoGrouping()
  }

  @Test("changes of several objects in a group are undone together", arguments: StoreKind.allCases)
  func together(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    group(stack, manager) {
      note.title = "two"
      stack.note("new")
    }
    stack.context.undo()
    #expect(note.title == "one" && stack.context.insertedObjects.isEmpty)
    stack.context.redo()
    #expect(note.title == "two" && stack.context.insertedObjects.count == 1)
  }

  @Test("a new change after an undo leaves nothing to redo", arguments: StoreKind.allCases)
  func redoIsLost(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    group(stack, manager) { note.title = "two" }
    stack.context.undo()
    #expect(manager.canRedo)
    group(stack, manager) { note.rating = 9 }
    #expect(!manager.canRedo)
    stack.context.redo()
    #expect(note.title == "one" && note.rating == 9)
  }

  @Test("undo and redo can alternate repeatedly", arguments: StoreKind.allCases)
  func backAndForth(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    for title in ["two", "three", "four"] { group(stack, manager) { note.title = title } }
    for _ in 0..<3 {
      stack.context.undo()
      stack.context.undo()
      #expect(note.title == "two")
      stack.context.redo()
      stack.context.redo()
      #expect(note.title == "four")
    }
  }

  @Test("an undo of one group leaves the unsaved changes of another", arguments: StoreKind.allCases)
  func otherChanges(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    group(stack, manager) { note.rating = 9 }
    group(stack, manager) { note.title = "two" }
    stack.context.undo()
    #expect(note.title == "one" && note.rating == 9 && note.isUpdated)
    #expect(note.changedValues().keys.sorted() == ["rating"])
  }

  @Test("undo is limited to the number of groups that the manager keeps", arguments: StoreKind.allCases)
  func levels(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    manager.levelsOfUndo = 2
    for title in ["two", "three", "four"] { group(stack, manager) { note.title = title } }
    for _ in 0..<5 { stack.context.undo() }
    #expect(note.title == "two" && !manager.canUndo)
  }

  @Test("a removed relationship is restored", arguments: StoreKind.allCases)
  func relationship(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    var category: Category?
    group(stack, manager) {
      category = stack.category("c")
      note.category = category
    }
    group(stack, manager) { note.category = nil }
    stack.context.undo()
    #expect(note.category === category && category?.notes == [note])
    stack.context.undo()
    #expect(note.category == nil && stack.context.insertedObjects.isEmpty)
  }

  @Test(
    "an object that is inserted and deleted in one group leaves nothing to undo it to",
    arguments: StoreKind.allCases
  )
  func insertedAndDeleted(_ kind: StoreKind) throws {
    let (stack, _, manager) = try stack(kind)
    group(stack, manager) { stack.context.delete(stack.note("gone")) }
    stack.context.undo()
    #expect(!stack.context.hasChanges)
    #expect(try stack.fetch(Note.self).map(\.title) == ["one"])
  }

  @Test("an undone change can be saved, and undone again", arguments: StoreKind.allCases)
  func savedBetween(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    group(stack, manager) { note.title = "two" }
    stack.context.undo()
    #expect(!stack.context.hasChanges)
    stack.context.redo()
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["two"])
    stack.context.undo()
    #expect(note.title == "one" && note.isUpdated)
  }

  @Test("observers are notified of changes by undo", arguments: StoreKind.allCases)
  func observers(_ kind: StoreKind) throws {
    let (stack, note, manager) = try stack(kind)
    group(stack, manager) { note.title = "two" }
    let posted = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
    stack.context.undo()
    stack.context.processPendingChanges()
    #expect(posted.all.contains { $0.objects(NSUpdatedObjectsKey).contains(note as NSManagedObject) })
  }
}
