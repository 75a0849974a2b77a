import CSystemSQLite
import Foundation
import SQLiteDriver

extension SQLiteConnections {
  /// The number of rows of an index that SQLite reads for its statistics. Between 100 and 1000 is recommended:
  /// <https://www.sqlite.org/pragma.html#pragma_analysis_limit>.
  private static let analysisLimit = 400

  /// The statement that updates the statistics. Before version 3.46, `PRAGMA optimize` only considers tables
  /// that its own connection has queried, but the queries run on other connections:
  /// <https://www.sqlite.org/pragma.html#pragma_optimize>.
  static let statisticsStatement = sqlite3_libversion_number() >= 3_046_000 ? "PRAGMA optimize = 0x10002" : "ANALYZE"

  /// Collects SQLite's statistics of tables and indexes, or brings them up to date.
  func updateStatistics() throws {
    try withoutTransaction { database in
      try database.execute(sql: "PRAGMA analysis_limit = \(Self.analysisLimit)")
      try database.execute(sql: Self.statisticsStatement)
    }
  }

  /// Before a connection that has written is closed, SQLite brings its statistics up to date, as
  /// <https://www.sqlite.org/pragma.html#pragma_optimize> recommends. A store without statistics
  /// stays without them, as with Apple's framework. The call does not wait for locks.
  func refreshStatistics() {
    if isReadOnly { return }
    // If this fails, the next closing of the store does it.
    _ = try? writeLock.holdIfFree {
      try writer.use { database in
        guard sqlite3_total_changes(database.sqliteConnection) > 0,
          try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'") != nil
        else { return }
        try lockWait.withoutWaiting {
          try database.execute(sql: "PRAGMA analysis_limit = \(Self.analysisLimit)")
          try database.execute(sql: "PRAGMA optimize")
        }
      }
    }
  }

  /// Copies the log into the file as far as readers allow, and truncates the log to zero bytes when all of it has been
  /// copied. No caller waits: the log is truncated only if no connection reads an older state.
  ///
  /// - Returns: the number of pages of the log that are not in the file, 0 in another journal mode;
  ///   `nil` while another connection does the same, of which SQLite does not tell how far it is.
  func shortenLog() throws -> Int64? {
    try withoutTransaction { database in
      guard let left = try Self.checkpoint("PASSIVE", in: database) else { return nil }
      if left > 0 { return left }
      // A reader that began in the meantime keeps the log file at its length, which does no harm.
      return try lockWait.withoutWaiting { try Self.checkpoint("TRUNCATE", in: database) ?? 0 }
    }
  }

  /// The number of pages that fit in the log file: the pages in the log, or more.
  func logPageCount() throws -> Int64 {
    let pageSize = try read { try Int64.fetchOne($0, sql: "PRAGMA page_size") } ?? 4096
    return Int64(opened?.logSize ?? 0) / pageSize
  }

  private static func checkpoint(_ mode: String, in database: Database) throws -> Int64? {
    let row = try DatabaseRow.fetchOne(database, sql: "PRAGMA wal_checkpoint(\(mode))")
    guard let row, let busy: Int = row[0], let log: Int64 = row[1], let done: Int64 = row[2]
    else { return 0 }
    if busy != 0, log < 0 { return nil }
    return max(log - done, 0)
  }

  /// Runs a write transaction if no thread or other process writes at this moment.
  ///
  /// - Returns: `nil`, without a change, when another connection is writing.
  func writeIfFree<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    let result: Value?? = try writeLock.holdIfFree {
      try writer.use { database in
        try lockWait.withoutWaiting { () -> Value? in
          do {
            try database.beginTransaction(.immediate)
            try opened?.requireSame()
            let value = try body(database)
            try database.commit()
            monitoring.monitor?.committed()
            return value
          } catch {
            try? database.rollback()
            if (error as? DatabaseError)?.resultCode == .SQLITE_BUSY { return nil }
            throw error
          }
        }
      }
    }
    return result ?? nil
  }
}
