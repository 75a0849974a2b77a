/// A connection to a SQLite database, which one thread at a time uses.
///
/// SQLite opens it without a lock of its own (`SQLITE_OPEN_NOMUTEX`). The lock here is taken once for all that a thread
/// does with the connection, instead of once for each call of SQLite.
// A thread uses the database only while it holds the lock. Other threads may call `interrupt` meanwhile, which has its
// own lock.
package final class SQLiteConnection: @unchecked Sendable {
  private let lock = ConnectionLock()
  @usableFromInline
  let database: Database

  package var path: String { database.path }

  /// Opens a database. If there is no file, it is created unless the connection is read-only.
  ///
  /// - Parameter path: the path of the file, or an address that begins with `file:`.
  /// - Throws: a ``DatabaseError``, also when the file is not a database.
  package init(path: String, configuration: SQLiteConfiguration = SQLiteConfiguration()) throws {
    database = try Database(path: path, configuration: configuration)
    do {
      try database.prepareForUse()
    } catch {
      database.abandon()
      throw error
    }
  }

  /// Opens a new database in memory, which ends with the connection.
  package convenience init(configuration: SQLiteConfiguration = SQLiteConfiguration()) throws {
    try self.init(path: ":memory:", configuration: configuration)
  }

  deinit { database.abandon() }

  /// Closes the connection, once no other thread uses it. If it is closed already, nothing happens.
  ///
  /// - Throws: a ``DatabaseError`` of the code `SQLITE_BUSY` when statements are left; the connection stays open.
  package func close() throws { try use { try $0.close() } }

  /// Ends the statements that are running, with `SQLITE_INTERRUPT`. Any thread may call it, also while the connection
  /// is used or closed.
  package func interrupt() { database.interrupt() }

  // MARK: - Using it

  /// Runs work with the connection, once no other thread uses it.
  ///
  /// The program ends with a message when the thread uses the connection already, or when the work leaves a
  /// transaction open that may not be.
  @inlinable
  package func use<Value>(_ work: (Database) throws -> Value) rethrows -> Value {
    enter()
    defer { leave() }
    return try work(database)
  }

  /// Runs work with the connection, also while this thread already uses it.
  package func useAgain<Value>(_ work: (Database) throws -> Value) rethrows -> Value {
    let isFirst = lock.lock()
    defer { if isFirst { leave() } }
    return try work(database)
  }

  @usableFromInline
  func enter() {
    if !lock.lock() {
      fatalError("The connection to \(path) is used by the work that uses it already; hand its database on instead.")
    }
  }

  @usableFromInline
  func leave() {
    let isLeft = !database.configuration.allowsUnsafeTransactions && database.isInsideTransaction
    if isLeft { fatalError("A transaction of \(path) was left open by the work that has begun it.") }
    lock.unlock()
  }

  /// Runs work that reads one state of the database, and that cannot write.
  package func read<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try use { database in try database.reading { try work(database) } }
  }

  /// Runs work in a transaction that takes the write lock at once, and is rolled back when the work throws.
  package func write<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try use { database in try database.inTransaction(.immediate) { try work(database) } }
  }
}
