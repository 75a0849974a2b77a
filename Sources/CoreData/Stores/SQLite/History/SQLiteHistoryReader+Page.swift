import Foundation

extension SQLiteHistoryReader {
  func numberQuery(_ selection: HistorySelection, wanted changes: SQLStatement?) -> SQLStatement {
    var conditions: [String] = []
    var bindings: [SQLValue] = []
    func add(_ condition: String, value: SQLValue) {
      conditions.append(condition)
      bindings.append(value)
    }
    if let before = selection.before { add("Z_PK < ?", value: .integer(before)) }
    if let since = selection.since { add("ZTIMESTAMP >= ?", value: .real(since.timeIntervalSinceReferenceDate)) }
    if let until = selection.until { add("ZTIMESTAMP < ?", value: .real(until.timeIntervalSinceReferenceDate)) }
    if let author = selection.author { add("\(tables.text("AUTHOR")) = ?", value: .text(author)) }
    if let changes {
      conditions.append("Z_PK IN (SELECT ZTRANSACTIONID FROM ACHANGE WHERE \(changes.sql))")
      bindings += changes.bindings
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return SQLStatement(
      sql: "SELECT Z_PK FROM ATRANSACTION\(condition) ORDER BY Z_PK DESC LIMIT ?",
      bindings: bindings + [.integer(Int64(selection.limit) + 1)]
    )
  }

  func countQuery(_ numbers: [Int64], wanted changes: SQLStatement?) -> SQLStatement {
    let places = numbers.map { _ in "?" }.joined(separator: ", ")
    return SQLStatement(
      sql: """
        SELECT ZTRANSACTIONID, ZCHANGETYPE, COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID IN (\(places))\
        \(changes.map { " AND \($0.sql)" } ?? "") GROUP BY ZTRANSACTIONID, ZCHANGETYPE
        """,
      bindings: numbers.map(SQLValue.integer) + (changes?.bindings ?? [])
    )
  }

  func changeCondition(_ number: Int64, wanted changes: SQLStatement?, limit: Int) -> SQLStatement {
    SQLStatement(
      sql: "ZTRANSACTIONID = ?\(changes.map { " AND \($0.sql)" } ?? "") ORDER BY Z_PK LIMIT ?",
      bindings: [.integer(number)] + (changes?.bindings ?? []) + [.integer(Int64(limit))]
    )
  }

  /// The condition that changes of the selected objects fulfil; `nil` where all do.
  static func wanted(_ entities: [Int64]?, key: Int64?) -> SQLStatement? {
    guard let entities else { return nil }
    let places = entities.map { _ in "?" }.joined(separator: ", ")
    return SQLStatement(
      sql: "ZENTITY IN (\(places))" + (key == nil ? "" : " AND ZENTITYPK = ?"),
      bindings: entities.map(SQLValue.integer) + (key.map { [.integer($0)] } ?? [])
    )
  }

  func authorQuery(limit: Int) -> SQLStatement {
    let author = tables.text("AUTHOR")
    return SQLStatement(
      sql: "SELECT DISTINCT \(author) FROM ATRANSACTION WHERE \(author) IS NOT NULL ORDER BY 1 LIMIT ?",
      bindings: [.integer(Int64(limit))]
    )
  }
}
