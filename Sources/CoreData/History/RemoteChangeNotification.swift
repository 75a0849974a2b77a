public import Foundation

extension Notification.Name {
  /// Posted by a coordinator when any coordinator or process has changed one of its stores. The user info has the
  /// store's identifier under ``NSStoreUUIDKey`` and its address under ``NSPersistentStoreURLKey``. If the store has a
  /// history, its present place in the history is under ``NSPersistentHistoryTokenKey``.
  ///
  /// The store must have been opened with ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``. Several changes
  /// that follow each other closely may be reported together, and on any queue.
  public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// The option, `true` or `false`, for posting ``Foundation/NSNotification/Name/NSPersistentStoreRemoteChange``.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
/// The key of a store's address (`URL`) in a notification of a remote change.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of an ``NSPersistentHistoryToken`` in a notification of a remote change.
public let NSPersistentHistoryTokenKey = "historyToken"

extension NSPersistentStore {
  /// - Parameter transaction: the number of the last transaction; 0 for a store without a history.
  package final func postRemoteChange(transaction: Int64) {
    guard let coordinator = persistentStoreCoordinator, let url, let identifier else { return }
    var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier, NSPersistentStoreURLKey: url]
    if transaction > 0 {
      userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken(numbers: [identifier: transaction])
    }
    NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
  }
}
