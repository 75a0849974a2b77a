import CoreData
import Foundation
import Testing

@Suite("Merging the saves of other contexts")
struct MergingTests {
  /// A stack with one saved note, which its context has registered, and another context that has registered it too.
  private func shared(_ kind: StoreKind) throws -> (Stack, Note, NSManagedObjectContext, Note) {
    let stack = try Stack(kind)
    let note = stack.note("one", rating: 1)
    try stack.save()
    let other = stack.sibling()
    let theirs = try #require(try stack.fetch(Note.self, in: other).first)
    return (stack, note, other, theirs)
  }

  private func merge(
    into context: NSManagedObjectContext,
    _ save: () throws -> Void,
    by other: NSManagedObjectContext
  ) throws {
    let posted = Posted(.NSManagedObjectContextDidSave, by: other)
    try save()
    context.mergeChanges(fromContextDidSave: try #require(posted.last))
  }

  @Test("merging a save updates a changed object", arguments: StoreKind.storesAndChildren)
  func updated(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    theirs.title = "theirs"
    try other.save()
    #expect(note.title == "one")
    theirs.rating = 7
    try merge(into: stack.context, other.save, by: other)
    #expect(note.title == "theirs")
    #expect(note.rating == 7)
    #expect(!stack.context.hasChanges)
  }

  @Test(
    "merging keeps unsaved changes, which then save without a conflict",
    arguments: StoreKind.storesAndChildren
  )
  func localChanges(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    note.rating = 5
    theirs.title = "theirs"
    try merge(into: stack.context, other.save, by: other)
    #expect(note.title == "theirs")
    #expect(note.rating == 5)
    try stack.save()
    let saved = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    #expect(saved.title == "theirs")
    #expect(saved.rating == 5)
  }

  @Test("merging deletes objects, and saving that does not conflict", arguments: StoreKind.storesAndChildren)
  func deleted(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    other.delete(theirs)
    try merge(into: stack.context, other.save, by: other)
    #expect(note.isDeleted)
    #expect(stack.context.deletedObjects == [note])
    try stack.context.save()
    #expect(!stack.context.hasChanges)
    #expect(note.managedObjectContext == nil)
  }

  @Test(
    "rolling back a merged deletion leaves an object that does not exist",
    arguments: StoreKind.storesAndChildren
  )
  func rolledBack(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    other.delete(theirs)
    try merge(into: stack.context, other.save, by: other)
    stack.context.rollback()
    #expect(!stack.context.hasChanges)
    #expect(note.title == nil)
    #expect(note.isDeleted)
  }

  @Test("an object deleted on both sides is not a conflict", arguments: StoreKind.storesAndChildren)
  func deletedTwice(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    stack.context.delete(note)
    other.delete(theirs)
    try merge(into: stack.context, other.save, by: other)
    try stack.context.save()
    #expect(try stack.fetch(Note.self).isEmpty)
  }

  @Test(
    "merging reports new objects as faults, and does not retain unused ones",
    arguments: StoreKind.storesAndChildren
  )
  func inserted(_ kind: StoreKind) throws {
    let (stack, note, other, _) = try shared(kind)
    let new = Note(context: other)
    new.title = "new"
    let titles = try {
      let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
      try merge(into: stack.context, other.save, by: other)
      #expect(changed.count == 1)
      let inserted: Set<NSManagedObject> = try #require(changed.last).objects(NSInsertedObjectsKey)
      #expect(inserted.allSatisfy { $0.isFault && $0.managedObjectContext === stack.context })
      return inserted.compactMap { ($0 as? Note)?.title }
    }()
    #expect(titles == ["new"])
    #expect(stack.context.registeredObjects == [note])
    #expect(stack.context.insertedObjects.isEmpty)
  }

  @Test(
    "merging reports refreshed objects in use, but not objects with changes",
    arguments: StoreKind.storesAndChildren
  )
  func refreshed(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    let second = stack.note("two")
    let third = stack.note("three")
    try stack.save()
    let objects = try stack.fetch(Note.self, in: other)
    stack.context.refresh(third, mergeChanges: false)
    second.rating = 8
    stack.context.processPendingChanges()
    for object in objects { object.createdAt = Date() }
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    try merge(into: stack.context, other.save, by: other)
    let notification = try #require(changed.last)
    #expect(notification.objects(NSRefreshedObjectsKey) == [note as NSManagedObject])
    #expect(notification.objects(NSUpdatedObjectsKey) == [second as NSManagedObject])
    let objectIDs = try #require(merged.last)
    #expect(objectIDs.objects(NSUpdatedObjectIDsKey, as: NSManagedObjectID.self).count == 3)
    #expect(
      objectIDs.objects(NSRefreshedObjectIDsKey, as: NSManagedObjectID.self)
        == [note.objectID, second.objectID]
    )
    #expect(theirs.objectID == note.objectID)
  }

  @Test(
    "merging updates relationships, and keeps objects that were added locally",
    arguments: StoreKind.storesAndChildren
  )
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let first = stack.note("first", category)
    try stack.save()
    #expect(category.notes == [first])
    let other = stack.sibling()
    let new = Note(context: other)
    new.title = "new"
    new.category = try stack.fetch(Category.self, in: other).first
    let mine = stack.note("mine", category)
    try merge(into: stack.context, other.save, by: other)
    #expect(Set(category.notes.map(\.title)) == ["first", "new", "mine"])
    #expect(mine.category === category)
    try stack.save()
    #expect(try stack.fetch(Category.self, in: stack.newContext()).first?.notes.count == 3)
  }

  @Test(
    "merging removes a deleted object from the relationships that led to it",
    arguments: StoreKind.storesAndChildren
  )
  func relationshipsToDeleted(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("first", category)
    try stack.save()
    #expect(category.notes == [note])
    let request = NSBatchDeleteRequest(objectIDs: [note.objectID])
    request.resultType = .resultTypeObjectIDs
    let result = try #require(try stack.context.execute(request) as? NSBatchDeleteResult)
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectsKey: try #require(result.result as? [NSManagedObjectID])],
      into: [stack.context]
    )
    #expect(category.notes.isEmpty)
    #expect(note.isDeleted)
  }

  @Test(
    "merging remote changes accepts IDs and URIs, for parents before their children",
    arguments: StoreKind.allCases
  )
  func remote(_ kind: StoreKind) throws {
    let (stack, note, other, theirs) = try shared(kind)
    let second = stack.note("two")
    try stack.save()
    theirs.title = "theirs"
    let theirSecond = try #require(try stack.fetch(Note.self, "title = 'two'", in: other).first)
    other.delete(theirSecond)
    try other.save()
    #expect(note.title == "one")
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSUpdatedObjectsKey: [note.objectID.uriRepresentation()], NSDeletedObjectsKey: [theirSecond.objectID],
      ],
      into: [stack.context]
    )
    #expect(note.title == "theirs")
    #expect(second.isDeleted)
  }

  @Test("merging an empty change posts no notification", arguments: StoreKind.storesAndChildren)
  func nothing(_ kind: StoreKind) throws {
    let (stack, _, other, _) = try shared(kind)
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    try merge(into: stack.context, other.save, by: other)
    #expect(changed.count == 0)
    #expect(merged.count == 0)
  }
}
