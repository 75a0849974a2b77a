import Foundation
import SQLiteDriver

extension SQLiteStore: WaitingStore {
  /// Empties the store, or removes its files where the options ask for it.
  static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
    if options?[NSPersistentStoreForceDestroyOption] as? Bool == true { return try SQLiteFile(url).remove() }
    try SQLiteFile(url).empty(timeout: StoreTimeout.seconds(in: options))
  }

  static func setMetadata(_ metadata: [String: Any]?, at url: URL, options: [AnyHashable: Any]?) throws {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: true)
    try withConnections(url, isReadOnly: false, timeout: StoreTimeout.seconds(in: options)) { connections in
      try connections.write { database in
        var current = try found(in: database, at: url)
        current.setAll(metadata ?? [:])
        if let identifier = metadata?[NSStoreUUIDKey] as? String, !identifier.isEmpty {
          current.setIdentifier(identifier)
        }
        try current.write(to: database, file: url, isNew: false)
      }
    }
  }

  /// The metadata of the store at a place. A destroyed store has no tables: only its type is known.
  static func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(url, isReadOnly: true, timeout: StoreTimeout.seconds(in: options)) { connections in
      try connections.look { database in
        let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
        return count == 0 ? [NSStoreTypeKey: NSSQLiteStoreType] : try found(in: database, at: url).all
      }
    }
  }

  static func metadata(at url: URL) throws -> StoreMetadata {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(url, isReadOnly: true) { connections in
      try connections.look { try found(in: $0, at: url) }
    }
  }

  /// The model as far as the tables of the store determine it.
  static func tableModel(at url: URL) throws -> SQLiteTableModel {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(url, isReadOnly: true) { connections in
      try connections.look { try SQLiteTableModel($0, file: url) }
    }
  }

  private static func found(in database: Database, at url: URL) throws -> StoreMetadata {
    guard try database.tableExists("Z_METADATA"),
      let metadata = try StoreMetadata.read(from: database, file: url)
    else { throw SQLiteFile(url).noStore() }
    return metadata
  }

  /// Opens a store for some work, and closes it again.
  ///
  /// - Parameter doing: what failed, as the message of an error begins.
  static func withConnections<Value>(
    _ url: URL,
    isReadOnly: Bool,
    timeout: TimeInterval = StoreTimeout.standard,
    doing: String = "The metadata of the store could not be used",
    _ body: (SQLiteConnections) throws -> Value
  ) throws -> Value {
    let connections = try SQLiteConnections(file: url, isReadOnly: isReadOnly, pragmas: [], timeout: timeout)
    do {
      let value = try body(connections)
      try connections.close()
      return value
    } catch {
      try? connections.close()
      throw SQLiteFailure.error(error, file: url, doing: doing)
    }
  }
}
