import CoreData
import Foundation
import Testing

@Suite("Contexts and their objects")
struct ContextTests {
  @Test("a new context has the settings that Apple documents", arguments: StoreKind.allCases)
  func settings(_ kind: StoreKind) throws {
    let context = try Stack(kind).context
    #expect(context.undoManager == nil && context.name == nil && context.transactionAuthor == nil)
    #expect(context.stalenessInterval == -1)
    #expect(!context.retainsRegisteredObjects && context.shouldDeleteInaccessibleFaults)
    #expect(context.propagatesDeletesAtEndOfEvent)
    #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    #expect(context.userInfo.count == 0)
  }

  @Test("a context keeps its name, author and user info", arguments: StoreKind.allCases)
  func properties(_ kind: StoreKind) throws {
    let context = try Stack(kind).context
    context.name = "import"
    context.transactionAuthor = "importer"
    context.userInfo["file"] = "a.json"
    #expect(context.name == "import" && context.transactionAuthor == "importer")
    #expect(context.userInfo["file"] as? String == "a.json")
  }

  @Test("a child has its parent's coordinator", arguments: StoreKind.allCases)
  func coordinator(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    #expect(stack.context.persistentStoreCoordinator === stack.coordinator)
    #expect((stack.context.parent != nil) == kind.isChild)
  }

  @Test("a reset releases all objects and changes", arguments: StoreKind.allCases)
  func reset(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = "two"
    stack.note("new")
    stack.context.reset()
    #expect(stack.context.registeredObjects.isEmpty && !stack.context.hasChanges)
    #expect(note.managedObjectContext == nil)
    #expect(note.isFault && note.title == nil && !note.isFault)
    #expect(try stack.fetch(Note.self).map(\.title) == ["one"])
  }

  @Test("rollback restores all values, deletions and relationships", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    let note = stack.note("one", category, tags: [tag])
    try stack.save()
    note.title = "two"
    note.tags = []
    stack.context.delete(category)
    let new = stack.note("new")
    stack.context.rollback()
    #expect(note.title == "one" && note.tags == [tag] && note.category === category)
    #expect(tag.notes == [note] && category.notes == [note])
    #expect(!category.isDeleted && !stack.context.hasChanges)
    #expect(new.managedObjectContext == nil)
    #expect(stack.context.insertedObjects.isEmpty && stack.context.deletedObjects.isEmpty)
  }

  @Test("delete rules are applied when changes are processed", arguments: StoreKind.allCases)
  func propagation(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try stack.save()
    stack.context.delete(category)
    #expect(!note.isDeleted)
    stack.context.processPendingChanges()
    #expect(note.isDeleted)
  }

  @Test("delete rules are applied immediately if the context is so set", arguments: StoreKind.allCases)
  func propagationAtOnce(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("one", category)
    try stack.save()
    stack.context.propagatesDeletesAtEndOfEvent = false
    stack.context.delete(category)
    #expect(note.isDeleted)
  }

  @Test("a fetch finds unsaved changes, and leaves out unsaved deletions", arguments: StoreKind.allCases)
  func pendingChanges(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (old, gone) = (stack.note("old"), stack.note("gone"))
    try stack.save()
    old.title = "changed"
    stack.context.delete(gone)
    stack.note("new")
    #expect(try stack.fetch(Note.self, sort: [.byTitle]).map(\.title) == ["changed", "new"])
    #expect(try stack.fetch(Note.self, "title == 'old'").isEmpty)
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(try stack.context.count(for: request) == 2)
  }

  @Test("a fetch without pending changes finds saved objects", arguments: StoreKind.allCases)
  func withoutPending(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("old")
    try stack.save()
    stack.note("new")
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.includesPendingChanges = false
    #expect(try stack.context.fetch(request).map(\.title) == ["old"])
  }

  @Test("hasChanges is true for insertions, updates and deletions", arguments: StoreKind.allCases)
  func hasChanges(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    #expect(stack.context.hasChanges)
    try stack.save()
    #expect(!stack.context.hasChanges)
    note.rating = 1
    #expect(stack.context.hasChanges)
    try stack.save()
    stack.context.delete(note)
    #expect(stack.context.hasChanges)
    try stack.save()
    #expect(!stack.context.hasChanges)
  }

  @Test("an inserted and deleted object is not a change", arguments: StoreKind.allCases)
  func insertedAndDeleted(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.context.delete(stack.note("one"))
    #expect(!stack.context.hasChanges)
    #expect(stack.context.insertedObjects.isEmpty && stack.context.deletedObjects.isEmpty)
  }

  @Test(
    "an object without a context keeps values and relationships until it is inserted",
    arguments: StoreKind.allCases
  )
  func withoutContext(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let entities = stack.coordinator.managedObjectModel.entitiesByName
    let note = Note(entity: try #require(entities["Note"]), insertInto: nil)
    let category = Category(entity: try #require(entities["Category"]), insertInto: nil)
    note.title = "loose"
    note.category = category
    #expect(note.managedObjectContext == nil && !note.isInserted)
    #expect(category.notes == [note])
    stack.context.insert(note)
    stack.context.insert(category)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.category != nil)
  }

  @Test("a failed save can be corrected and tried again", arguments: StoreKind.allCases)
  func tryAgain(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = Note(context: stack.context)
    #expect(throws: NSError.self) { try stack.save() }
    #expect(note.isInserted)
    note.title = "mended"
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["mended"])
  }

  @Test(
    "assign saves an object in the given store",
    arguments: StoreKind.storesAndChildren
  )
  func assign(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let second = try stack.coordinator.addPersistentStore(type: .inMemory)
    let (one, two) = (stack.note("one"), stack.note("two"))
    stack.context.assign(two, to: second)
    try stack.save()
    let notes = try stack.fetch(Note.self, sort: [.byTitle], in: stack.newContext())
    #expect(notes.map(\.title) == ["one", "two"])
    #expect(notes[0].objectID.persistentStore !== second)
    #expect(notes[1].objectID.persistentStore === second)
    _ = one
  }

  @Test("an object in a store cannot be assigned to another")
  func assignSaved() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack(.inMemory)
      let second = try stack.coordinator.addPersistentStore(type: .inMemory)
      let note = stack.note("one")
      try stack.save()
      stack.context.assign(note, to: second)
    }
  }
}
