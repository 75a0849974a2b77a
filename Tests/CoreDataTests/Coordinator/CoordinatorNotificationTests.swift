import CoreData
import Foundation
import Testing

@Suite("Notifications of a coordinator")
struct CoordinatorNotificationTests {
  @Test("adding a store posts notifications with the store before and after")
  func adding() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let will = Posted(.NSPersistentStoreCoordinatorStoresWillChange, by: coordinator)
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: coordinator)
    let store = try coordinator.addPersistentStore(type: .inMemory)
    #expect(will.count == 1)
    #expect(did.count == 1)
    for posted in [will, did] {
      #expect(posted.last?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore] == [store])
    }
  }

  @Test("removing a store posts a notification with the store, and calls the store itself")
  func removing() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .inMemory)
    let removed = Posted(.NSPersistentStoreCoordinatorWillRemoveStore, by: store)
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: coordinator)
    try coordinator.remove(store)
    #expect(removed.count == 1)
    #expect(did.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [store])
  }

  @Test(
    "moving a store posts the old and the new store, and the old and the new ID of each object",
    arguments: [StoreKind.sqlite, .inMemory, .xml, .binary],
    [NSPersistentStore.StoreType.sqlite, .inMemory, .binary]
  )
  func moving(from kind: StoreKind, to type: NSPersistentStore.StoreType) throws {
    let stack = try Stack(kind)
    let note = stack.note("one", stack.category("c"))
    // The deleted note has a key that the other store does not assign.
    stack.context.delete(stack.note("two"))
    try stack.save()
    stack.note("three")
    try stack.save()
    let former = Set(try stack.context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.objectID)).union(
      [try #require(note.category).objectID])
    let store = stack.coordinator.persistentStores[0]
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: stack.coordinator)
    let url = stack.folder.appendingPathComponent("moved.store")
    let new = try stack.coordinator.migratePersistentStore(store, to: url, type: type)
    let replaced = try #require(did.last?.userInfo?[NSUUIDChangedPersistentStoresKey] as? NSArray)
    #expect(replaced[0] as AnyObject === store)
    #expect(replaced[1] as AnyObject === new)
    let objectIDs = try #require(replaced[2] as? [NSManagedObjectID])
    let old = stride(from: 0, to: objectIDs.count, by: 2).map { objectIDs[$0] }
    let now = stride(from: 1, to: objectIDs.count, by: 2).map { objectIDs[$0] }
    #expect(Set(old) == former)
    #expect(old.count == 3)
    #expect(old.map(\.entity) == now.map(\.entity))
    #expect(old.allSatisfy { $0.persistentStore === store })
    #expect(now.allSatisfy { $0.persistentStore === new })
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    let place = try #require(old.firstIndex(of: note.objectID))
    #expect(try context.existingObject(with: now[place]).value(forKey: "title") as? String == "one")
  }

  @Test("a store that cannot be opened posts no notification")
  func failing() {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: coordinator)
    #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/nowhere/at/all.sqlite"))
    }
    #expect(did.count == 0)
  }
}
