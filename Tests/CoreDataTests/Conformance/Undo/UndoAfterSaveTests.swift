import CoreData
import Foundation
import Testing

@Suite("Undoing saved changes")
struct UndoAfterSaveTests {
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    stack.context.undoManager = UndoManager()
    return stack
  }

  @Test("a save can be undone: the next save reverts its changes", arguments: StoreKind.allCases)
  func afterSave(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.undoManager?.removeAllActions()
    note.title = "two"
    try stack.save()
    stack.context.undo()
    #expect(note.title == "one" && note.isUpdated)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
  }

  @Test("an insertion that was saved is undone by a deletion", arguments: StoreKind.allCases)
  func savedInsertion(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.undo()
    #expect(note.isDeleted)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test(
    "a deletion that was saved is undone by a new object with the old values",
    arguments: StoreKind.allCases
  )
  func savedDeletion(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    let note = stack.note("one", category, tags: [tag])
    try stack.save()
    stack.context.undoManager?.removeAllActions()
    stack.context.delete(note)
    try stack.save()
    stack.context.undo()
    #expect(note.isInserted && note.managedObjectContext === stack.context)
    #expect(note.category === category && category.notes == [note])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.title == "one" && saved.category?.name == "c" && saved.tags.count == 1)
  }

  /// Saves the current changes, and starts recording the later ones in groups.
  private func startRecording(_ stack: Stack) throws {
    try stack.save()
    let manager = UndoManager()
    manager.groupsByEvent = false
    stack.context.undoManager = manager
  }

  /// Records changes as an undo group of their own.
  private func grouped(_ stack: Stack, _ changes: () -> Void) {
    stack.context.undoManager?.beginUndoGrouping()
    changes()
    stack.context.processPendingChanges()
    stack.context.undoManager?.endUndoGrouping()
  }

  @Test(
    "an object whose deletion was saved is at the end of its relationships again, however often it is undone",
    arguments: StoreKind.storesAndChildren
  )
  func relationshipsOfSavedDeletion(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (category, note) = (stack.category("c"), stack.note("one"))
    try startRecording(stack)
    grouped(stack) { note.category = category }
    // The deletion also deletes the category's notes.
    grouped(stack) { stack.context.delete(category) }
    try stack.save()
    #expect(note.managedObjectContext == nil)
    stack.context.undo()
    #expect(note.category === category && category.notes == [note])
    stack.context.undo()
    #expect(note.category == nil && category.notes == [])
    stack.context.redo()
    #expect(note.category === category && category.notes == [note])
    stack.context.redo()
    #expect(note.isDeleted && category.isDeleted)
    try stack.save()
    stack.context.undo()
    #expect(note.category === category && category.notes == [note])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.category?.name == "c")
  }

  @Test(
    "a restored object refers to an object that was restored before it",
    arguments: StoreKind.storesAndChildren
  )
  func deletionsOneAfterTheOther(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try startRecording(stack)
    grouped(stack) { stack.context.delete(note) }
    grouped(stack) { stack.context.delete(category) }
    try stack.save()
    stack.context.undo()
    stack.context.undo()
    #expect(note.category === category && category.notes == [note])
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.category?.name == "c")
  }

  @Test(
    "a deleted object has what another one took over from it",
    arguments: StoreKind.storesAndChildren,
    [false, true]
  )
  func takenOver(_ kind: StoreKind, endsEvent: Bool) throws {
    let stack = try Stack(kind)
    let (first, second) = (stack.note("first"), stack.note("second"))
    let page = Page(context: stack.context)
    try startRecording(stack)
    grouped(stack) { first.mutableOrderedSetValue(forKey: "pages").add(page) }
    grouped(stack) {
      stack.context.delete(first)
      if endsEvent { stack.context.processPendingChanges() }
      second.mutableOrderedSetValue(forKey: "pages").add(page)
    }
    try stack.save()
    stack.context.undo()
    #expect(page.value(forKey: "note") as? Note === first)
    #expect(first.pages.array as? [Page] == [page] && second.pages.count == 0)
    stack.context.undo()
    #expect(page.value(forKey: "note") == nil)
    #expect(first.pages.count == 0 && second.pages.count == 0)
    stack.context.redo()
    stack.context.redo()
    #expect(page.value(forKey: "note") as? Note === second)
    #expect(first.isDeleted && second.pages.array as? [Page] == [page])
  }
}
