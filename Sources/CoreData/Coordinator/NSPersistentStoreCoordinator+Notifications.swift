public import Foundation

extension Notification.Name {
  /// Posted by a coordinator before its list of stores changes, with what
  /// ``NSPersistentStoreCoordinatorStoresDidChange`` is posted with.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification"
  )
  /// Posted by a coordinator when its list of stores has changed: with the stores under ``NSAddedPersistentStoresKey``,
  /// ``NSRemovedPersistentStoresKey`` or ``NSUUIDChangedPersistentStoresKey``.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification"
  )
  /// Posted by a store that is about to be removed from its coordinator.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification"
  )
}

/// The key of the stores (`[NSPersistentStore]`) that were added to a coordinator.
public let NSAddedPersistentStoresKey = "added"
/// The key of the stores (`[NSPersistentStore]`) that were removed from a coordinator.
public let NSRemovedPersistentStoresKey = "removed"
/// The key of an array with a store, the store that replaces it, and, when objects were copied, an
/// array in which each object's old ID is followed by its new one.
public let NSUUIDChangedPersistentStoresKey = "changedUUID"

extension NSPersistentStoreCoordinator {
  /// The two announcements of a change of stores: one before it, and one after it.
  enum StoresChange {
    case willChange, didChange

    var name: Notification.Name {
      self == .willChange
        ? .NSPersistentStoreCoordinatorStoresWillChange : .NSPersistentStoreCoordinatorStoresDidChange
    }
  }

  final func announceStores(
    _ change: StoresChange,
    added: [NSPersistentStore] = [],
    removed: [NSPersistentStore] = [],
    replaced: [Any] = []
  ) {
    var userInfo: [AnyHashable: Any] = [:]
    if !added.isEmpty { userInfo[NSAddedPersistentStoresKey] = added }
    if !removed.isEmpty { userInfo[NSRemovedPersistentStoresKey] = removed }
    if !replaced.isEmpty { userInfo[NSUUIDChangedPersistentStoresKey] = NSArray(array: replaced) }
    NotificationCenter.default.post(name: change.name, object: self, userInfo: userInfo)
  }

  final func announceRemoval(of store: NSPersistentStore) {
    NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
  }
}
