import CoreData
import Foundation
import Testing

@Suite("Undoing what was saved")
struct UndoAfterSaveTests {
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    stack.context.undoManager = UndoManager()
    return stack
  }

  @Test("a save can be undone: the next one takes its changes back", arguments: StoreKind.allCases)
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
}
