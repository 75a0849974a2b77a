import CSystemSQLite
import Foundation
import SQLiteDriver

/// Maintains the file of a store, in pieces that block other callers only briefly.
struct SQLiteMaintenance {
  let connections: SQLiteConnections
  /// Called in each transaction; an error that it throws ends the work.
  let check: (Database) throws -> Void

  /// The number of pages that are released at a time.
  static let pagesPerPiece = 128

  /// The history comes first, because deleting it frees pages. The log comes last, because all
  /// changes are written there.
  func run(_ work: StoreMaintenance, deletingHistoryBefore date: Date?) throws -> StoreMaintenanceReport {
    var report = StoreMaintenanceReport()
    if let date { report.deletedTransactionCount = try deleteHistory(before: date) }
    if work.contains(.statistics) { try connections.updateStatistics() }
    let releasedCount = work.contains(.freePages) ? try releaseFreePages() : 0
    let after = try size()
    report.releasedByteCount = releasedCount * after.pageSize
    report.freeByteCount = after.freeCount * after.pageSize
    report.byteCount = after.pageCount * after.pageSize
    if work.contains(.checkpoint) { report.remainingLogByteCount = try shortenLog() * after.pageSize }
    return report
  }

  // MARK: - Pieces

  /// Repeats a piece of work until nothing is left. Each pause is as long as the work before it, so that a waiting
  /// writer gets the lock, also one in another process, where SQLite retries after some milliseconds.
  private func repeatInPieces(_ piece: (Database) throws -> Bool) throws {
    while true {
      let start = Date()
      let isLeft = try connections.write { database in
        try check(database)
        return try piece(database)
      }
      if !isLeft { return }
      Thread.sleep(forTimeInterval: min(max(Date().timeIntervalSince(start), 0.005), 1))
    }
  }

  private func deleteHistory(before date: Date) throws -> Int {
    let purge = SQLiteHistoryPurge(date: date)
    guard try connections.read(SQLiteHistoryPurge.hasHistory) else { return 0 }
    var count = 0
    try repeatInPieces { database in
      let piece = try purge.deletePiece(in: database)
      count += piece.count
      return piece.isMoreLeft
    }
    return count
  }

  /// - Returns: the number of pages that were released, however many others have added in the meantime.
  private func releaseFreePages() throws -> Int64 {
    // Incremental vacuum is the mode 2; in another one the statement does nothing.
    guard try connections.read({ try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") }) == 2 else { return 0 }
    guard try size().freeCount > 0 else { return 0 }
    var count: Int64 = 0
    try repeatInPieces { database in
      let before = try Self.freeCount(database)
      // One step of the statement gives back one page: it has to be run to its end.
      let statement = SQLStatement(sql: "PRAGMA incremental_vacuum(\(Self.pagesPerPiece))")
      try SQLiteQuery(statement, in: database, isCached: false).run()
      let after = try Self.freeCount(database)
      count += Int64(max(before - after, 0))
      // The free list of a damaged file may contain pages that cannot be released.
      return after > 0 && after < before
    }
    return count
  }

  private static func freeCount(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
  }

  /// Under load, connections that write bring the log into the file again and again, one at a time.
  private func shortenLog() throws -> Int64 {
    for _ in 0..<Self.checkpointAttempts {
      if let left = try connections.shortenLog() { return left }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return try connections.logPageCount()
  }

  private static let checkpointAttempts = 200

  private func size() throws -> (pageCount: Int64, freeCount: Int64, pageSize: Int64) {
    try connections.read { database in
      let numbers = try ["page_count", "freelist_count", "page_size"].map {
        try Int64.fetchOne(database, sql: "PRAGMA \($0)") ?? 0
      }
      return (numbers[0], numbers[1], numbers[2])
    }
  }
}
