public import Foundation

/// Perennial's own: Apple's framework can only rebuild a store as a whole when it is opened.
extension NSPersistentStoreCoordinator {
  /// Maintains the file of a SQLite store, while other connections go on reading and writing it.
  ///
  /// Every task is done in steps of a few milliseconds, with a pause after each, so that a save meanwhile waits for at
  /// most one step. Collecting statistics is a single step. Objects are not changed.
  ///
  /// - Parameters:
  ///   - store: a SQLite store of this coordinator that can be written.
  ///   - work: what is to be done.
  ///   - date: transactions of the history before that date are deleted, the oldest first, up to the first that is
  ///     younger. The history is unchanged if the caller gives no date, and if the store keeps no history. A later
  ///     request for changes since an older token gets an error.
  /// - Returns: what was done, and what is left.
  /// - Throws: an error in `NSCocoaErrorDomain`: `NSPersistentStoreInvalidTypeError` for a store of another type,
  ///   `NSPersistentStoreSaveError` for one that may only be read, `NSPersistentStoreTimeoutError` when other writers
  ///   held the lock for longer than the store's timeout. Steps that are complete are not undone.
  @discardableResult
  public final func maintainPersistentStore(
    _ store: NSPersistentStore,
    _ work: StoreMaintenance = .all,
    deletingHistoryBefore date: Date? = nil
  ) throws -> StoreMaintenanceReport {
    let open = try openStore(store, toBe: "maintained")
    guard let maintained = open as? any MaintainableStore else { throw Self.cannotMaintain(store.type) }
    return try maintained.maintain(work, deletingHistoryBefore: date)
  }

  /// Keeps the file of the SQLite store at an address in order. The store need not be open here, and
  /// no model is needed; other programs may have it open, and go on writing it.
  ///
  /// - Parameters:
  ///   - storeURL: the place of the store.
  ///   - storeType: its type.
  ///   - options: the options of the store, of which `NSPersistentStoreTimeoutOption` has a meaning here.
  ///   - work: what is to be done.
  ///   - date: transactions of the history before that date are deleted.
  /// - Returns: what was done, and what is left.
  /// - Throws: what ``maintainPersistentStore(_:_:deletingHistoryBefore:)`` throws, and an error when
  ///   there is no such store.
  @discardableResult
  public final class func maintainPersistentStore(
    at storeURL: URL,
    type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil,
    _ work: StoreMaintenance = .all,
    deletingHistoryBefore date: Date? = nil
  ) throws -> StoreMaintenanceReport {
    let storeClass = try StoreTypes.storeClass(of: storeType.rawValue)
    guard let maintained = storeClass as? any MaintainableStore.Type else { throw cannotMaintain(storeType.rawValue) }
    return try maintained.maintain(storeURL, options: options, work: work, deletingHistoryBefore: date)
  }

  private static func cannotMaintain(_ type: String) -> any Error {
    StoreFailure.error(
      NSPersistentStoreInvalidTypeError,
      message:
        "A store of the type \(type) has no file that is kept in order piece by piece; only SQLite stores have."
    )
  }
}
