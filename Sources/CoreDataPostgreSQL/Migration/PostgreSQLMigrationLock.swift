#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Prevents all other writes and migrations of a store until a transaction ends.
  ///
  /// Each transaction that writes begins by sharing the lock of the store. The migration waits for current
  /// transactions, and all later ones wait for the migration. It also locks the row of `perennial_metadata`, for
  /// programs with an earlier version of the library, and for those whose URL turns advisory locks off: their saves
  /// lock the row.
  struct PostgreSQLMigrationLock {
    private let connections: PostgreSQLConnections

    init(_ connections: PostgreSQLConnections) { self.connections = connections }

    /// Called at the beginning of a transaction. Readers do not wait for the lock. The transaction reads all rows, or
    /// throws an error.
    func take(_ connection: PostgreSQLConnection) throws {
      // The limit applies to waiting for other transactions, not to the work, which may take long in a large store.
      connection.deadline = StoreCall.current.flatMap { $0.isBounded ? $0.deadline : nil }
      try PostgreSQLStoreLock(connections.address).takeAlone(
        connection,
        capabilities: connections.capabilities,
        until: .now + .milliseconds(Self.bounded(connections.timeout * 1000))
      )
      try setLockTimeout(connections.timeout * 1000, connection: connection)
      try connection.requireAllRows()
      // It is not there where the store is not.
      guard
        try connection.run("SELECT to_regclass('perennial_metadata') IS NOT NULL").integer(0, column: 0) == 1
      else { return }
      try connection.run("SELECT model_number FROM perennial_metadata FOR UPDATE")
    }

    /// Locks tables against readers. While the server has a request for such a lock, all later readers wait for it. So
    /// the request is withdrawn after a short time and repeated, until the store's timeout is over.
    ///
    /// First it takes the lock that `COMMENT` takes, on all tables. Readers and writers do not wait for that lock, or
    /// for a request for it. Autovacuum, which yields to a request after a second, has ended before the short requests
    /// begin.
    ///
    /// <https://www.postgresql.org/docs/current/explicit-locking.html> shows which locks conflict.
    ///
    /// - Parameters:
    ///   - tables: the tables that no other transaction may read until this one ends.
    ///   - commented: the tables that get comments.
    func takeTables(_ tables: [String], commented: [String] = [], connection: PostgreSQLConnection) throws {
      func names(_ tables: [String]) -> String {
        let dialect = PostgreSQLDialect()
        return Set(tables).sorted().map(dialect.identifier).joined(separator: ", ")
      }
      let all = names(tables + commented)
      if !all.isEmpty { try connection.run("LOCK TABLE \(all) IN SHARE UPDATE EXCLUSIVE MODE") }
      if tables.isEmpty { return }
      let altered = names(tables)
      var patience = PostgreSQLRetryBackoff(work: connections.work, kind: .write, timeout: connections.timeout)
      while true {
        try connection.run("SAVEPOINT tables")
        try setLockTimeout(Self.shortWait, connection: connection)
        do {
          try connection.run("LOCK TABLE \(altered) IN ACCESS EXCLUSIVE MODE")
          break
        } catch let error as PostgreSQLError where error.isLockTimeout {
          // This gives back the tables that could be had.
          try connection.run("ROLLBACK TO SAVEPOINT tables")
          try connection.run("RELEASE SAVEPOINT tables")
          try patience.wait(after: error)
        }
      }
      try connection.run("RELEASE SAVEPOINT tables")
      try setLockTimeout(connections.timeout * 1000, connection: connection)
    }

    /// The time for which readers wait because of a request for tables, in milliseconds.
    static let shortWait = 200.0

    /// - Parameter milliseconds: the time for which the transaction waits for each lock.
    private func setLockTimeout(_ milliseconds: Double, connection: PostgreSQLConnection) throws {
      let bounded = Int64(Self.bounded(milliseconds))
      try connection.run("SELECT set_config('lock_timeout', $1, true)", values: [.text(String(bounded))])
    }

    /// A time that the server can wait, in milliseconds; zero would be one without an end.
    private static func bounded(_ milliseconds: Double) -> Double { min(max(milliseconds, 1), Double(Int32.max)) }

    /// Repeats a migration if the server has ended its transaction because of a deadlock with readers.
    static func retrying(_ migrate: () throws -> Void) throws {
      for attempt in 1... {
        do {
          return try migrate()
        } catch let error as PostgreSQLError where attempt < 5 && ["40P01", "40001"].contains(error.state) {
          continue
        }
      }
    }

    /// - Parameter waited: the time for which locks were waited for, in seconds.
    static func failure(_ error: any Error, store: URL, waited: TimeInterval) -> any Error {
      let doing = "The store could not be migrated"
      guard let server = error as? PostgreSQLError else {
        return PostgreSQLFailure.error(error, store: store, doing: doing)
      }
      let details = [PostgreSQLFailure.stateKey: server.state, NSUnderlyingErrorKey: server] as [String: Any]
      switch server.state {
      case "55P03":
        return StoreFailure.error(
          NSPersistentStoreTimeoutError,
          message: """
            \(doing): \(store.absoluteString): others that write or read it kept the migration waiting for \
            \(waited.formatted()) s. Nothing was changed. Have them end their transactions, or wait longer with \
            NSPersistentStoreTimeoutOption.
            """,
          file: store,
          details: details
        )
      case "23505":
        return StoreFailure.error(
          NSMigrationConstraintViolationError,
          message: """
            \(doing): \(store.absoluteString): objects in it break a uniqueness constraint of the new model: \
            \(server.message). Make them unique with the old model first. Nothing was changed.
            """,
          file: store,
          details: details
        )
      case "22003", "22P02":
        return StoreFailure.error(
          NSMigrationError,
          message: """
            \(doing): \(store.absoluteString): a number is outside of its attribute's new type: \(server.message). \
            Nothing was changed. Give the attribute a wider type, or change the objects with the old model first.
            """,
          file: store,
          details: details
        )
      case "2BP01":
        return StoreFailure.error(
          NSMigrationError,
          message: """
            \(doing): \(store.absoluteString): \(server.message). Nothing was changed. Drop what stands on the tables, \
            such as views of other programs, and make it again afterwards.
            """,
          file: store,
          details: details
        )
      default: return PostgreSQLFailure.error(error, store: store, doing: doing)
      }
    }
  }
#endif
