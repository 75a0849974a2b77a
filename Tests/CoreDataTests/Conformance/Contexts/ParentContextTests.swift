import CoreData
import Foundation
import Testing

@Suite("Parent contexts")
struct ParentContextTests {
  private static let kinds = [StoreKind.childOfInMemory, .childOfSQLite]

  @Test("saving a child changes its parent and not the store", arguments: kinds)
  func childSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let parent = try #require(stack.context.parent)
    stack.note("one", stack.category("c"), tags: [stack.tag("t")])
    try stack.context.save()
    #expect(parent.hasChanges)
    let inParent = try #require(try stack.fetch(Note.self, in: parent).first)
    #expect(inParent.title == "one")
    #expect(inParent.category?.name == "c")
    #expect(inParent.tags.first?.notes == [inParent])
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
    try parent.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.category?.name == "c")
  }

  @Test("a child finds what its parent has not saved", arguments: kinds)
  func unsavedInParent(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let parent = try #require(stack.context.parent)
    let note = Note(context: parent)
    note.title = "in parent"
    let found = try #require(try stack.fetch(Note.self).first)
    #expect(found !== note)
    #expect(found.title == "in parent")
    found.title = "by child"
    #expect(note.title == "in parent")
    try stack.context.save()
    #expect(note.title == "by child")
  }

  @Test("changes that a child discards never reach the parent", arguments: kinds)
  func discarded(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let note = try #require(try stack.fetch(Note.self).first)
    note.title = "changed"
    stack.note("two")
    stack.context.rollback()
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["one"])
  }

  @Test("an object of a child takes the ID that its parent's save gave it", arguments: kinds)
  func adoptedIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"))
    try stack.save()
    let found = try stack.fetch(Note.self)
    #expect(found.count == 1)
    #expect(found.first === note)
    #expect(!note.objectID.isTemporaryID)
    note.rating = 9
    note.category = nil
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.rating == 9)
    #expect(saved.category == nil)
  }

  @Test("a child can work on another queue than its parent", arguments: kinds)
  func queues(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let context = stack.context
    try await context.perform {
      let note = Note(context: context)
      note.title = "one"
      try context.save()
    }
    let parent = try #require(context.parent)
    let titles = try await parent.perform {
      try parent.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title)
    }
    #expect(titles == ["one"])
    try parent.performAndWait { try parent.save() }
    #expect(try stack.newContext().count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }
}
