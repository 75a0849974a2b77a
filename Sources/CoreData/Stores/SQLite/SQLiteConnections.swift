import Foundation
import GRDB

/// The open database of a store: one connection that writes and several that read beside it.
///
/// A store in WAL mode, as Apple's framework makes them, is a GRDB pool. In another journal mode readers and the
/// writer would block each other, so there one connection does all.
final class SQLiteConnections: @unchecked Sendable {
  private enum Access {
    case pool(DatabasePool)
    case queue(DatabaseQueue)
  }

  let file: URL
  let isReadOnly: Bool
  private let access: Access

  /// Opens a database, and makes the file when there is none.
  ///
  /// - Parameters:
  ///   - pragmas: settings of SQLite, by name.
  ///   - timeout: how long to wait for other processes, in seconds.
  init(file: URL, isReadOnly: Bool, pragmas: [SQLitePragma], timeout: TimeInterval) throws {
    self.file = file
    self.isReadOnly = isReadOnly
    let path = file.path
    let configuration = Self.configuration(isReadOnly: isReadOnly, pragmas: pragmas, timeout: timeout)
    let journal = pragmas.first { $0.name.lowercased() == "journal_mode" }?.value.lowercased()
    do {
      if isReadOnly {
        access = try Self.openReadOnly(path, configuration)
      } else if let journal, journal != "wal" {
        access = .queue(try DatabaseQueue(path: path, configuration: configuration))
      } else {
        access = .pool(try DatabasePool(path: path, configuration: configuration))
      }
      try applySynchronous(pragmas)
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be opened")
    }
  }

  /// Runs one query. Each statement sees a state of its own.
  func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
    switch access {
    case .pool(let pool): try pool.unsafeRead(body)
    case .queue(let queue): try queue.unsafeRead(body)
    }
  }

  /// Runs several queries that see the same state.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    switch access {
    case .pool(let pool): try pool.read(body)
    case .queue(let queue): try queue.read(body)
    }
  }

  /// Runs a transaction that writes. It takes the write lock at once, so that it never fails half way for it.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    func transaction(_ database: Database) throws -> Value {
      var result: Result<Value, any Error>?
      try database.inTransaction(.immediate) {
        result = .success(try body(database))
        return .commit
      }
      guard let result else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      return try result.get()
    }
    switch access {
    case .pool(let pool): return try pool.writeWithoutTransaction(transaction)
    case .queue(let queue): return try queue.writeWithoutTransaction(transaction)
    }
  }

  func close() throws {
    do {
      switch access {
      case .pool(let pool): try pool.close()
      case .queue(let queue): try queue.close()
      }
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be closed")
    }
  }

  private static func configuration(
    isReadOnly: Bool, pragmas: [SQLitePragma], timeout: TimeInterval
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(timeout)
    configuration.label = "CoreData.SQLite"
    configuration.prepareDatabase { database in
      SQLiteFunctions.register(in: database)
      SQLiteCollation.register(in: database)
      if !isReadOnly, database.configuration.readonly == false {
        // Both only count before the first table is made.
        if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
          try database.execute(sql: "PRAGMA page_size = 4096")
          try database.execute(sql: "PRAGMA auto_vacuum = 2")
        }
      }
      for pragma in pragmas where !pragma.isForWriters || !database.configuration.readonly {
        try database.execute(sql: "PRAGMA \(pragma.name) = \(pragma.value)")
      }
    }
    return configuration
  }

  /// A store in a folder that cannot be written has no place for the files that readers share in WAL mode; it can
  /// be read when nobody writes, which is what `immutable` promises SQLite.
  private static func openReadOnly(_ path: String, _ configuration: Configuration) throws -> Access {
    do {
      return .pool(try DatabasePool(path: path, configuration: configuration))
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      let folder = (path as NSString).deletingLastPathComponent
      let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int ?? 0
      guard log == 0, FileManager.default.isReadableFile(atPath: path),
        !FileManager.default.isWritableFile(atPath: folder),
        let address = URLComponents(string: URL(fileURLWithPath: path).absoluteString)?.percentEncodedPath
      else { throw error }
      return .queue(try DatabaseQueue(path: "file:\(address)?immutable=1", configuration: configuration))
    }
  }

  /// GRDB sets this after the connection was prepared.
  private func applySynchronous(_ pragmas: [SQLitePragma]) throws {
    guard case .pool(let pool) = access,
      let synchronous = pragmas.first(where: { $0.name.lowercased() == "synchronous" })
    else { return }
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous.value)") }
  }
}
