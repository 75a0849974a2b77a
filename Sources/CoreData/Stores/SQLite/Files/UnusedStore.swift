import Foundation
import SQLiteDriver

/// A new store that is not needed after a failure.
///
/// Another program may have found it and saved into it meanwhile; then the store is that one's, too.
package struct UnusedStore {
  private let file: URL
  private let options: [AnyHashable: Any]?
  private let timeout: TimeInterval

  /// - Parameter options: the options of the store. Only `NSPersistentStoreTimeoutOption` matters here.
  package init(_ url: URL, options: [AnyHashable: Any]? = nil) {
    file = url
    self.options = options
    timeout = StoreTimeout.seconds(in: options)
  }

  /// Removes the store with all of its files, unless something was saved in it: an object, even one that
  /// was deleted later, or metadata. No other connection can write in the meantime: a waiting writer
  /// finds the file removed.
  ///
  /// - Returns: false when something was saved in the store, which is then unchanged.
  /// - Throws: an error that names the file, when it cannot be read or removed.
  @discardableResult
  package func remove() throws -> Bool {
    #if PostgreSQL
      if !file.isFileURL { return try PostgreSQLStore.destroyUnused(at: file, options: options) }
    #endif
    let connections = try SQLiteConnections(file: file, isReadOnly: false, pragmas: [], timeout: timeout)
    do {
      let isRemoved = try connections.rehearse { database in
        guard try holdsNothing(database) else { return false }
        try SQLiteFile(file).remove()
        return true
      }
      try connections.close()
      return isRemoved
    } catch {
      try? connections.close()
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be removed")
    }
  }

  private func holdsNothing(_ database: Database) throws -> Bool {
    let content = try SQLiteContent(database, file: file)
    if content.isEmpty { return true }
    guard let metadata = content.metadata, !metadata.hasKeysOfOthers else { return false }
    // The last assigned keys are saved together with their objects.
    return try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM Z_PRIMARYKEY WHERE Z_MAX > 0)")
      ?? false
  }
}
