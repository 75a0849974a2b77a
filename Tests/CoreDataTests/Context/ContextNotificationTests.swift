import CoreData
import Foundation
import Testing

@Suite("Notifications of a context")
struct ContextNotificationTests {
  @Test("save notifications contain the objects and their permanent IDs", arguments: StoreKind.allCases)
  func save(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let context = stack.context.parent ?? stack.context
    let (first, second) = (Note(context: context), Note(context: context))
    (first.title, second.title) = ("first", "second")
    let will = Posted(NSManagedObjectContext.willSaveObjectsNotification, by: context)
    let objects = Posted(NSManagedObjectContext.didSaveObjectsNotification, by: context)
    let objectIDs = Posted(NSManagedObjectContext.didSaveObjectIDsNotification, by: context)
    try context.save()
    #expect(will.count == 1)
    #expect(try #require(objects.last).objects(NSInsertedObjectsKey) == [first as NSManagedObject, second])
    let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
    let inserted: Set<NSManagedObjectID> = try #require(objectIDs.last).objects(key)
    #expect(inserted == [first.objectID, second.objectID])
    #expect(inserted.allSatisfy { !$0.isTemporaryID })
    first.title = "changed"
    context.delete(second)
    try context.save()
    #expect(try #require(objects.last).objects(NSUpdatedObjectsKey) == [first as NSManagedObject])
    #expect(try #require(objectIDs.last).objects(NSUpdatedObjectIDsKey) == [first.objectID])
    #expect(try #require(objectIDs.last).objects(NSDeletedObjectIDsKey) == [second.objectID])
  }

  @Test(
    "reset notifications contain all objects, and nothing else",
    arguments: StoreKind.storesAndChildren
  )
  func reset(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.note("unsaved")
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
    let objectID = note.objectID
    stack.context.reset()
    #expect(changed.count == 1)
    let invalidated = changed.last?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
    #expect(invalidated?.count == 2)
    #expect(invalidated?.contains(objectID) == true)
    #expect(changed.last?.userInfo?.count == 1)
  }

  @Test("notifications contain the refreshed objects", arguments: StoreKind.storesAndChildren)
  func refresh(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let notes = [stack.note("one"), stack.note("two")]
    try stack.save()
    let changed = Posted(.NSManagedObjectContextObjectsDidChange, by: stack.context)
    stack.context.refreshAllObjects()
    stack.context.processPendingChanges()
    #expect(changed.count == 1)
    #expect(try #require(changed.last).objects(NSRefreshedObjectsKey) == Set<NSManagedObject>(notes))
  }

  @Test("the typed keys of notifications equal the classic ones")
  func keys() {
    typealias Key = NSManagedObjectContext.NotificationKey
    #expect(Key.insertedObjects.rawValue == NSInsertedObjectsKey)
    #expect(Key.updatedObjects.rawValue == NSUpdatedObjectsKey)
    #expect(Key.deletedObjects.rawValue == NSDeletedObjectsKey)
    #expect(Key.refreshedObjects.rawValue == NSRefreshedObjectsKey)
    #expect(Key.invalidatedObjects.rawValue == NSInvalidatedObjectsKey)
    #expect(Key.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
    #expect(Key.insertedObjectIDs.rawValue == NSInsertedObjectIDsKey)
    #expect(Key.updatedObjectIDs.rawValue == NSUpdatedObjectIDsKey)
    #expect(Key.deletedObjectIDs.rawValue == NSDeletedObjectIDsKey)
    #expect(Key.refreshedObjectIDs.rawValue == NSRefreshedObjectIDsKey)
    #expect(Key.invalidatedObjectIDs.rawValue == NSInvalidatedObjectIDsKey)
    #expect(Key.queryGeneration.rawValue == NSManagedObjectContextQueryGenerationKey)
  }

  @Test("notifications can be awaited one after another")
  func sequence() async throws {
    let center = NotificationCenter()
    let name = Notification.Name("ContextNotificationTests")
    var iterator = center.notifications(named: name).makeAsyncIterator()
    for number in 1...3 { center.post(name: name, object: nil, userInfo: ["number": number]) }
    center.post(name: Notification.Name("another"), object: nil)
    for number in 1...3 {
      let notification = await iterator.next()
      #expect(notification?.userInfo?["number"] as? Int == number)
    }
  }
}
