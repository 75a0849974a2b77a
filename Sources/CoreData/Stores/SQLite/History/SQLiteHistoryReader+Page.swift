import CSystemSQLite
import Foundation

extension SQLiteHistoryReader: HistoryPageReader {
  /// The transactions of a selection, the newest first.
  ///
  /// - Parameters:
  ///   - entities: the numbers of the entities whose changes are wanted; `nil` for all.
  ///   - key: the key of the object whose changes are wanted; `nil` for all.
  func page(_ selection: HistorySelection, entities: [Int64]?, key: Int64?) throws -> HistoryPage {
    try page(selection, wanted: Self.condition(entities, key: key))
  }

  func numbers(_ selection: HistorySelection, wanted changes: SQLStatement?) throws -> [Int64] {
    var conditions: [String] = []
    var bindings: [SQLValue] = []
    func add(_ condition: String, value: SQLValue) {
      conditions.append(condition)
      bindings.append(value)
    }
    if let before = selection.before { add("Z_PK < ?", value: .integer(before)) }
    if let since = selection.since {
      add("ZTIMESTAMP >= ?", value: .real(since.timeIntervalSinceReferenceDate))
    }
    if let until = selection.until {
      add("ZTIMESTAMP < ?", value: .real(until.timeIntervalSinceReferenceDate))
    }
    if let author = selection.author { add("\(tables.text("AUTHOR")) = ?", value: .text(author)) }
    if let changes {
      conditions.append("Z_PK IN (SELECT ZTRANSACTIONID FROM ACHANGE WHERE \(changes.sql))")
      bindings += changes.bindings
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    let query = SQLStatement(
      sql: "SELECT Z_PK FROM ATRANSACTION\(condition) ORDER BY Z_PK DESC LIMIT ?",
      bindings: bindings + [.integer(Int64(selection.limit) + 1)]
    )
    var found: [Int64] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow {
      found.append(sqlite3_column_int64($0, 0))
    }
    return found
  }

  func counts(_ numbers: [Int64], wanted changes: SQLStatement?) throws -> [Int64: HistoryPage.Counts] {
    let places = numbers.map { _ in "?" }.joined(separator: ", ")
    let query = SQLStatement(
      sql: """
        SELECT ZTRANSACTIONID, ZCHANGETYPE, COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID IN (\(places))\
        \(changes.map { " AND \($0.sql)" } ?? "") GROUP BY ZTRANSACTIONID, ZCHANGETYPE
        """,
      bindings: numbers.map(SQLValue.integer) + (changes?.bindings ?? [])
    )
    var counts: [Int64: HistoryPage.Counts] = [:]
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let type = NSPersistentHistoryChangeType(rawValue: Int(sqlite3_column_int64(row, 1)))
      counts[sqlite3_column_int64(row, 0), default: .init()].add(sqlite3_column_int64(row, 2), type: type)
    }
    return counts
  }

  func changes(
    of transaction: NSPersistentHistoryTransaction,
    _ changes: SQLStatement?,
    limit: Int
  ) throws -> [NSPersistentHistoryChange] {
    let number = transaction.transactionNumber
    let condition = SQLStatement(
      sql: "ZTRANSACTIONID = ?\(changes.map { " AND \($0.sql)" } ?? "") ORDER BY Z_PK LIMIT ?",
      bindings: [.integer(number)] + (changes?.bindings ?? []) + [.integer(Int64(limit))]
    )
    return try self.changes(condition, of: [number: transaction])[number] ?? []
  }

  /// The condition that changes of the selected objects fulfil; `nil` where all do.
  private static func condition(_ entities: [Int64]?, key: Int64?) -> SQLStatement? {
    guard let entities else { return nil }
    let places = entities.map { _ in "?" }.joined(separator: ", ")
    return SQLStatement(
      sql: "ZENTITY IN (\(places))" + (key == nil ? "" : " AND ZENTITYPK = ?"),
      bindings: entities.map(SQLValue.integer) + (key.map { [.integer($0)] } ?? [])
    )
  }

  /// The different authors of transactions, in order.
  func authors(limit: Int) throws -> [String] {
    let author = tables.text("AUTHOR")
    let query = SQLStatement(
      sql: "SELECT DISTINCT \(author) FROM ATRANSACTION WHERE \(author) IS NOT NULL ORDER BY 1 LIMIT ?",
      bindings: [.integer(Int64(limit))]
    )
    var found: [String] = []
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let cell = SQLiteCell(statement: row, column: 0)
      found.append(try cell.text())
    }
    return found
  }
}
