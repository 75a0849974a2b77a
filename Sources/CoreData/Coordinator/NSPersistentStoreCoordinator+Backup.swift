public import Foundation

/// Perennial's own: Apple's framework copies a store by moving it, while no process writes to it.
extension NSPersistentStoreCoordinator {
  /// Writes the present contents of a store into a file, while other connections go on reading and writing the store.
  ///
  /// ```swift
  /// let store = coordinator.persistentStores[0]
  /// let place = folder.appendingPathComponent("Backup.sqlite")
  /// let backup = try await coordinator.perform {
  ///   try coordinator.backUpPersistentStore(store, to: place, replacingBackup: true)
  /// }
  /// print("\(backup.byteCount) bytes, as of \(backup.date)")
  /// ```
  ///
  /// The backup is the same store: open it where it is, or restore it with
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``. The backup is
  /// written next to its destination under a hidden name, synchronized to the disk, and then renamed; a failure leaves
  /// the former files untouched. A SQLite store is copied page by page within one read transaction: no writer waits for
  /// it, but the log of the store grows by what other connections write meanwhile. In another journal mode than WAL,
  /// and in memory, writers wait. The external files that the rows name are copied within that transaction. For a store
  /// in XML or in binary form, the backup is a copy of its file, which has all that was saved last.
  ///
  /// - Parameters:
  ///   - store: a store of this coordinator: in SQLite, also one in memory at `/dev/null`, in XML or in binary form.
  ///   - url: the place of the backup, in a folder that is there.
  ///   - replacingBackup: true when an earlier backup of the same store may be there, which is
  ///     replaced. Anything else is never replaced.
  ///   - progress: receives the number of bytes that were written, and the total number. When it is
  ///     cancelled, the backup ends with an error.
  /// - Returns: what was written.
  /// - Throws: an error in `NSCocoaErrorDomain`: `fileWriteFileExists` when the place is taken,
  ///   be it by the store itself, `userCancelled`, `NSPersistentStoreInvalidTypeError` for a store of
  ///   another type, or why a file cannot be read or written.
  @discardableResult
  public final func backUpPersistentStore(
    _ store: NSPersistentStore,
    to url: URL,
    replacingBackup: Bool = false,
    progress: Progress? = nil
  ) throws -> StoreBackup {
    let open = try openStore(store, toBe: "backed up")
    guard let source = open as? any BackupStore else { throw Self.cannotBackUp(store.type) }
    return try source.backUp(to: BackupDestination(url: url, replacesBackup: replacingBackup, progress: progress))
  }

  /// Writes what the store at an address has at this moment into a file. The store need not be open
  /// here, and no model is needed; other programs may have it open, and go on writing it.
  ///
  /// - Parameters:
  ///   - storeURL: the place of the store.
  ///   - storeType: its type.
  ///   - options: the options of the store, of which `NSPersistentStoreTimeoutOption` has a meaning here.
  ///   - url: the place of the backup, in a folder that is there.
  ///   - replacingBackup: true when an earlier backup of the same store may be there, which is
  ///     replaced. Anything else is never replaced.
  ///   - progress: receives the number of bytes that were written, and the total number. When it is
  ///     cancelled, the backup ends with an error.
  /// - Returns: what was written.
  /// - Throws: what ``backUpPersistentStore(_:to:replacingBackup:progress:)`` throws, and an error
  ///   when there is no store of that type.
  @discardableResult
  public final class func backUpPersistentStore(
    at storeURL: URL,
    type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil,
    to url: URL,
    replacingBackup: Bool = false,
    progress: Progress? = nil
  ) throws -> StoreBackup {
    guard let storeClass = try StoreTypes.storeClass(of: storeType.rawValue) as? any BackupStore.Type else {
      throw cannotBackUp(storeType.rawValue)
    }
    return try storeClass.backUp(
      storeURL,
      options: options,
      to: BackupDestination(url: url, replacesBackup: replacingBackup, progress: progress)
    )
  }

  private static func cannotBackUp(_ type: String) -> any Error {
    StoreFailure.error(
      NSPersistentStoreInvalidTypeError,
      message: """
        A store of the type \(type) cannot be backed up while it is open: only SQLite, XML and binary stores can. Copy it by \
        its own means, or move its objects by migratePersistentStore(_:to:options:type:).
        """
    )
  }
}
