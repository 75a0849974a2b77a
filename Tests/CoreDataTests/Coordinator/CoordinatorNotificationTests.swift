import CoreData
import Foundation
import Testing

@Suite("Notifications of a coordinator")
struct CoordinatorNotificationTests {
  @Test("name a store that is added, before and after")
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

  @Test("name a store that is removed, and the store announces it itself")
  func removing() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let store = try coordinator.addPersistentStore(type: .inMemory)
    let removed = Posted(.NSPersistentStoreCoordinatorWillRemoveStore, by: store)
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: coordinator)
    try coordinator.remove(store)
    #expect(removed.count == 1)
    #expect(did.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] == [store])
  }

  @Test("name a store that is moved, the store that takes its place, and the new IDs of its objects")
  func moving() throws {
    let stack = try Stack(.sqlite)
    stack.note("one", stack.category("c"))
    try stack.save()
    let store = stack.coordinator.persistentStores[0]
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: stack.coordinator)
    let url = stack.folder.appendingPathComponent("moved.sqlite")
    let new = try stack.coordinator.migratePersistentStore(store, to: url, type: .sqlite)
    let replaced = try #require(did.last?.userInfo?[NSUUIDChangedPersistentStoresKey] as? NSArray)
    #expect(replaced[0] as AnyObject === store)
    #expect(replaced[1] as AnyObject === new)
    let objectIDs = try #require(replaced[2] as? [NSManagedObjectID])
    #expect(Set(objectIDs.map { $0.entity.name ?? "" }) == ["Note", "Category"])
    #expect(objectIDs.allSatisfy { $0.persistentStore === new })
  }

  @Test("are not posted for a store that could not be opened")
  func failing() {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    let did = Posted(.NSPersistentStoreCoordinatorStoresDidChange, by: coordinator)
    #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/nowhere/at/all.sqlite"))
    }
    #expect(did.count == 0)
  }
}
