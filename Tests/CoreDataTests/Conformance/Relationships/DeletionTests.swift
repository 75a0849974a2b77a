import CoreData
import Foundation
import Testing

@Suite("Deleting")
struct DeletionTests {
  @Test("an object that is deleted twice is deleted once", arguments: StoreKind.allCases)
  func twice(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.delete(note)
    stack.context.delete(note)
    #expect(stack.context.deletedObjects == [note])
    try stack.save()
    #expect(try stack.context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
  }

  @Test("the values of a deleted object can be read until the save", arguments: StoreKind.allCases)
  func values(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 8)
    try stack.save()
    stack.context.delete(note)
    stack.context.processPendingChanges()
    #expect(note.title == "one" && note.rating == 8)
    #expect(note.managedObjectContext === stack.context)
  }

  @Test(
    "a deleted object is gone from the relationships that led to it once changes are processed",
    arguments: StoreKind.allCases
  )
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    let note = stack.note("one", category, tags: [tag])
    try stack.save()
    stack.context.delete(note)
    stack.context.processPendingChanges()
    #expect(category.notes.isEmpty && tag.notes.isEmpty)
    #expect(category.isUpdated == category.changedValues().keys.contains("notes"))
  }

  @Test("prepareForDeletion is called for objects that a cascade deletes", arguments: StoreKind.allCases)
  func cascade(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let (parent, child) = (stack.make("Node", "parent"), stack.make("Node", "child"))
    child.setValue(parent, forKey: "parent")
    let grandchild = stack.make("Node", "grandchild")
    grandchild.setValue(child, forKey: "parent")
    try stack.save()
    stack.context.delete(parent)
    stack.context.processPendingChanges()
    #expect(stack.context.deletedObjects == [parent, child, grandchild])
    try stack.save()
    #expect(try stack.savedCount("Node") == 0)
  }

  @Test("a new object that a cascade reaches is not inserted", arguments: StoreKind.allCases)
  func cascadeToNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    try stack.save()
    let note = stack.note("new", category)
    stack.context.delete(category)
    try stack.save()
    #expect(note.managedObjectContext == nil)
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test("deletedObjects contains deleted objects until the save", arguments: StoreKind.allCases)
  func deletedObjects(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = [stack.note("one"), stack.note("two")]
    try stack.save()
    for note in notes { stack.context.delete(note) }
    #expect(stack.context.deletedObjects == Set<NSManagedObject>(notes))
    #expect(stack.context.updatedObjects.isEmpty)
    try stack.save()
    #expect(stack.context.deletedObjects.isEmpty && !stack.context.hasChanges)
  }

  @Test("existingObject throws for an object whose deletion was saved", arguments: StoreKind.allCases)
  func existing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let objectID = try #require(try stack.fetch(Note.self, in: stack.newContext()).first).objectID
    stack.context.delete(note)
    try stack.save()
    let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: objectID) }
    #expect(error?.code == NSManagedObjectReferentialIntegrityError)
  }

  @Test("a count leaves out unsaved deletions", arguments: StoreKind.allCases)
  func count(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    stack.note("two")
    try stack.save()
    stack.context.delete(note)
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(try stack.context.count(for: request) == 1)
    request.includesPendingChanges = false
    #expect(try stack.context.count(for: request) == 2)
  }

  @Test("a failed save leaves the deletion to be tried again", arguments: StoreKind.allCases)
  func failedSave(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.delete(note)
    let wrong = Note(context: stack.context)
    #expect(throws: NSError.self) { try stack.context.save() }
    #expect(note.isDeleted && stack.context.deletedObjects == [note])
    stack.context.delete(wrong)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test("the ID of a deleted object stays the one it had", arguments: StoreKind.allCases)
  func objectID(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let note = try #require(try stack.fetch(Note.self).first)
    let objectID = note.objectID
    stack.context.delete(note)
    #expect(note.objectID == objectID)
    try stack.save()
    #expect(note.objectID == objectID)
  }
}
