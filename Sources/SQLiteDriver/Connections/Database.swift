import CSystemSQLite
import Synchronization

/// An open database, in the hands of the thread that uses its connection.
package final class Database {
  /// SQLite's connection, as other threads may interrupt it.
  // SQLite lets any thread call `sqlite3_interrupt`, as long as the connection is not closed meanwhile.
  private struct Interruptible: @unchecked Sendable {
    var connection: OpaquePointer?
  }

  /// Called by SQLite when another connection holds a lock.
  private final class BusyHandler {
    let retries: @Sendable (Int) -> Bool
    init(_ retries: @escaping @Sendable (Int) -> Bool) { self.retries = retries }
  }

  /// SQLite's connection; `nil` once it is closed.
  // Only one thread at a time uses the database, so each access needs no check.
  @exclusivity(unchecked)
  package private(set) var sqliteConnection: OpaquePointer?
  package let path: String
  package let configuration: SQLiteConfiguration
  /// Values that the user of the connection attaches to it, for as long as it is open.
  @exclusivity(unchecked)
  package var notes: AnyObject?
  @exclusivity(unchecked)
  var statements = StatementCache()
  /// True in the block of a transaction or savepoint, even if SQLite has already rolled it back automatically.
  var isInTransactionBlock = false
  /// The number of blocks that may only read.
  var readOnlyDepth = 0
  private let interruptible: Mutex<Interruptible>
  private var busyHandler: BusyHandler?

  /// Opens SQLite's connection.
  init(path: String, configuration: SQLiteConfiguration) throws {
    self.path = path
    self.configuration = configuration
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, Self.flags(path, configuration: configuration), nil)
    guard code == SQLITE_OK, let connection else {
      sqlite3_close(connection)
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    sqliteConnection = connection
    interruptible = Mutex(Interruptible(connection: connection))
  }

  private static func flags(_ path: String, configuration: SQLiteConfiguration) -> Int32 {
    let access = configuration.readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE
    return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (path.hasPrefix("file:") ? SQLITE_OPEN_URI : 0)
  }

  /// Makes the settings of every connection, and reads from the file.
  ///
  /// - Throws: the errors of the configuration's preparations, or an error when the file is not a database.
  func prepareForUse() throws {
    setBusyMode()
    perennial_configure(sqliteConnection)
    // Versions before 3.37 do not know the flag.
    sqlite3_extended_result_codes(sqliteConnection, 1)
    try configuration.prepare(self)
    // SQLite has not looked into the file yet.
    let statement = try makeStatement(sql: "SELECT * FROM sqlite_master LIMIT 1")
    _ = try statement.step()
  }

  private func setBusyMode() {
    switch configuration.busyMode {
    case .immediateError: return
    case .timeout(let seconds): sqlite3_busy_timeout(sqliteConnection, Int32(clamping: Int(seconds * 1000)))
    case .callback(let retries):
      let handler = BusyHandler(retries)
      busyHandler = handler
      sqlite3_busy_handler(
        sqliteConnection,
        { context, tries in
          guard let context else { return 0 }
          return Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue().retries(Int(tries)) ? 1 : 0
        },
        // The database keeps the handler alive, and each statement that may call it keeps the database alive.
        Unmanaged.passUnretained(handler).toOpaque()
      )
    }
  }

  /// True when a transaction is open.
  package var isInsideTransaction: Bool {
    guard let sqliteConnection else { return false }
    return sqlite3_get_autocommit(sqliteConnection) == 0
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed: <https://www.sqlite.org/c3ref/changes.html>.
  package var changesCount: Int { Int(sqlite3_changes(sqliteConnection)) }

  // MARK: - Closing

  func interrupt() {
    interruptible.withLock { if let connection = $0.connection { sqlite3_interrupt(connection) } }
  }

  func close() throws {
    guard let sqliteConnection else { return }
    statements.removeAll()
    // This happens before the connection is closed, so that no thread interrupts a closed connection.
    interruptible.withLock { $0.connection = nil }
    let code = sqlite3_close(sqliteConnection)
    guard code == SQLITE_OK else {
      let failure = failure(code, sql: nil)
      interruptible.withLock { $0.connection = sqliteConnection }
      throw failure
    }
    self.sqliteConnection = nil
    notes = nil
  }

  /// Closes a connection without a user, at the latest when its last statement is finalized.
  func abandon() {
    guard let sqliteConnection else { return }
    statements.removeAll()
    interruptible.withLock { $0.connection = nil }
    sqlite3_close_v2(sqliteConnection)
    self.sqliteConnection = nil
    notes = nil
  }

  // MARK: - Errors

  /// The error of a call of SQLite that has just failed on this connection.
  package func failure(_ code: Int32, sql: String?) -> DatabaseError {
    guard let sqliteConnection else {
      return DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed", sql: sql)
    }
    return DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) },
      sql: sql
    )
  }
}
