import CSystemSQLite
import Foundation
import SQLiteDriver

/// Deletes the oldest transactions of a store's history, some at a time.
///
/// It stops at the first transaction that is young enough, even if a later one has an older date because a clock was
/// set back. The rest therefore has no gap, and ``HistoryExtent`` determines which tokens still lead to all changes.
struct SQLiteHistoryPurge {
  /// The most transactions of a piece.
  static let transactionsPerPiece = 100
  /// The number of changes of a piece, unless one transaction has more.
  static let changesPerPiece: Int64 = 1000

  /// Transactions before it are deleted.
  let date: Date

  /// Returns true when a database has the tables of a history.
  static func hasHistory(_ database: Database) throws -> Bool {
    let count = try Int.fetchOne(
      database,
      sql: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name IN ('ACHANGE', 'ATRANSACTION')"
    )
    return count == 2
  }

  /// Deletes some of the oldest transactions, with their changes.
  ///
  /// - Returns: the number of the transactions, and true when there may be more to be deleted.
  func deletePiece(in database: Database) throws -> (count: Int, isMoreLeft: Bool) {
    var numbers: [Int64] = []
    var isMoreLeft = true
    var changeCount: Int64 = 0
    let oldest = try oldestTransactions(in: database)
    for (number, date) in oldest {
      guard date < self.date.timeIntervalSinceReferenceDate else {
        isMoreLeft = false
        break
      }
      changeCount += try count(number, in: database)
      if changeCount > Self.changesPerPiece, !numbers.isEmpty { break }
      numbers.append(number)
    }
    if let last = numbers.last {
      try run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID <= ?", number: last, in: database)
      let deleted = try run("DELETE FROM ATRANSACTION WHERE Z_PK <= ?", number: last, in: database)
      // In a damaged file there may be rows that cannot be deleted.
      if deleted < numbers.count { isMoreLeft = false }
    }
    let isEnd = numbers.count == oldest.count && oldest.count < Self.transactionsPerPiece
    return (numbers.count, isMoreLeft && !isEnd)
  }

  private func oldestTransactions(in database: Database) throws -> [(number: Int64, date: TimeInterval)] {
    let query = SQLStatement(
      sql: "SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK LIMIT \(Self.transactionsPerPiece)"
    )
    var found: [(Int64, TimeInterval)] = []
    try SQLiteQuery(query, in: database, isCached: true).forEachRow { row in
      found.append((sqlite3_column_int64(row, 0), sqlite3_column_double(row, 1)))
    }
    return found
  }

  private func count(_ number: Int64, in database: Database) throws -> Int64 {
    let query = SQLStatement(sql: "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID = ?", bindings: [.integer(number)])
    return try SQLiteQuery(query, in: database, isCached: true).integer() ?? 0
  }

  @discardableResult
  private func run(_ sql: String, number: Int64, in database: Database) throws -> Int {
    let statement = SQLStatement(sql: sql, bindings: [.integer(number)])
    return try SQLiteQuery(statement, in: database, isCached: true).run()
  }
}
