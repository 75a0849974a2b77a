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
