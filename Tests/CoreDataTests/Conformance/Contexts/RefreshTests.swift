import CoreData
import Foundation
import Testing

@Suite("Refreshing")
struct RefreshTests {
  private func saved(_ kind: StoreKind) throws -> (Stack, Note) {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
    try stack.save()
    return (stack, note)
  }

  @Test("refreshing without merging discards changes", arguments: StoreKind.allCases)
  func dropping(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.title = "two"
    note.tags = []
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.isFault && !note.hasChanges)
    #expect(note.title == "one")
    #expect(note.tags.count == 1)
  }

  @Test(
    "refreshing a never saved object without merging makes a fault with its initial values",
    arguments: StoreKind.allCases
  )
  func droppingNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 9, stack.category("c"), tags: [stack.tag("t")])
    stack.context.processPendingChanges()
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.isFault && note.isInserted && note.objectID.isTemporaryID)
    #expect(stack.context.insertedObjects.contains(note))
    let new = Note(context: stack.context)
    #expect(note.value(forKey: "title") as? String == new.value(forKey: "title") as? String)
    #expect(!note.isFault)
    #expect(note.rating == new.rating)
    #expect(note.category == nil && note.tags.isEmpty)
    stack.context.delete(new)
    note.title = "two"
    try stack.save()
    let saved = try stack.fetch(Note.self, in: stack.newContext())
    #expect(saved.map(\.title) == ["two"])
    #expect(saved.first?.category == nil)
  }

  @Test("an object that was never saved can be saved while it is a fault", arguments: StoreKind.allCases)
  func savingNewFault(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.count = 1
    stack.context.refresh(witness, mergeChanges: false)
    #expect(witness.isFault)
    #expect(!witness.events.contains("awakeFromFetch"))
    try stack.save()
    let saved = try #require(try stack.fetch(Witness.self, in: stack.newContext()).first)
    #expect(saved.name == nil && saved.count == 7)
  }

  @Test("refreshing a never saved object with merging changes nothing", arguments: StoreKind.allCases)
  func mergingNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.title == "one" && !note.isFault)
  }

  @Test("refreshing with merging keeps changes over saved values", arguments: StoreKind.storesAndChildren)
  func merging(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    try stack.changeElsewhere(note) { note in
      note.title = "theirs"
      note.createdAt = Date(timeIntervalSinceReferenceDate: 5)
    }
    note.title = "ours"
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.title == "ours")
    #expect(note.createdAt == Date(timeIntervalSinceReferenceDate: 5))
    #expect(note.changedValues().keys.sorted() == ["title"])
    try stack.save()
  }

  @Test("a refreshed object is saved without a conflict", arguments: StoreKind.storesAndChildren)
  func noConflict(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    try stack.changeElsewhere(note) { $0.rating = 10 }
    note.title = "ours"
    stack.context.refresh(note, mergeChanges: true)
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.title == "ours" && saved.rating == 10)
  }

  @Test(
    "refreshing an unchanged object with merging loads the stored values",
    arguments: StoreKind.storesAndChildren
  )
  func unchanged(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    try stack.changeElsewhere(note) { $0.title = "theirs" }
    #expect(note.title == "one")
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.title == "theirs")
  }

  @Test(
    "a to-many relationship is read again, and includes local additions",
    arguments: StoreKind.storesAndChildren
  )
  func toMany(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    try stack.changeElsewhere(note) { note in
      let tag = Tag(context: note.managedObjectContext!)
      tag.name = "theirs"
      note.mutableSetValue(forKey: "tags").add(tag)
    }
    note.mutableSetValue(forKey: "tags").add(stack.tag("ours"))
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.tags.compactMap(\.name).sorted() == ["ours", "t", "theirs"])
  }

  @Test("a relationship of a refreshed fault is read again", arguments: StoreKind.storesAndChildren)
  func relationshipOfFault(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let objectID = try #require(note.category).objectID
    stack.context.reset()
    let category = try #require(stack.context.object(with: objectID) as? Category)
    #expect(category.notes.count == 1 && category.isFault)
    try stack.changeElsewhere(category) { category in
      let note = Note(context: category.managedObjectContext!)
      note.title = "theirs"
      note.category = category
    }
    #expect(category.notes.count == 1)
    stack.context.refresh(category, mergeChanges: false)
    #expect(category.notes.count == 2)
  }

  @Test("a deletion is dropped with the other changes", arguments: StoreKind.allCases)
  func deleted(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    stack.context.delete(note)
    stack.context.refresh(note, mergeChanges: false)
    #expect(!note.isDeleted)
    #expect(stack.context.deletedObjects.isEmpty)
  }

  @Test("a refresh releases references to related objects", arguments: StoreKind.allCases)
  func destinations(_ kind: StoreKind) throws {
    let (stack, _) = try saved(kind)
    stack.context.reset()
    weak var category: Category?
    let note = try #require(try stack.fetch(Note.self).first)
    do {
      category = note.category
      #expect(category != nil)
    }
    stack.context.refresh(note, mergeChanges: false)
    #expect(category == nil)
    #expect(note.category?.name == "c")
  }

  @Test(
    "refreshAllObjects updates all objects and keeps changes",
    arguments: StoreKind.storesAndChildren
  )
  func all(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let category = try #require(note.category)
    try stack.changeElsewhere(note) { $0.title = "theirs" }
    try stack.changeElsewhere(category) { $0.name = "theirs" }
    note.rating = 9
    stack.context.refreshAllObjects()
    #expect(note.title == "theirs" && note.rating == 9)
    #expect(category.name == "theirs")
  }

  @Test(
    "shouldRefreshRefetchedObjects updates fetched objects",
    arguments: StoreKind.storesAndChildren
  )
  func refetched(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    try stack.changeElsewhere(note) { $0.title = "theirs" }
    _ = try stack.fetch(Note.self)
    #expect(note.title == "one")
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.shouldRefreshRefetchedObjects = true
    _ = try stack.context.fetch(request)
    #expect(note.title == "theirs")
  }

  @Test(
    "a fault uses the values that were fetched for it, unless they are too old",
    arguments: StoreKind.storesAndChildren
  )
  func staleness(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    for (interval, title) in [(-1.0, "one"), (3600, "one"), (0, "theirs")] {
      let context = stack.sibling()
      #expect(context.stalenessInterval < 0)
      context.stalenessInterval = interval
      let fault = try #require(try stack.fetch(Note.self, in: context).first)
      try stack.changeElsewhere(note) { $0.title = "theirs" }
      #expect(fault.title == title, "\(interval)")
      try stack.changeElsewhere(note) { $0.title = "one" }
    }
  }
}
