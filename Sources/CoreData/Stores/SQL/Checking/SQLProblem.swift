/// A query for rows of one table that something is wrong with.
struct SQLProblem {
  let kind: StoreFinding.Kind
  let table: String
  /// The columns of the table's key.
  let key: [String]
  /// The condition that a wrong row fulfils; the table is `t` in it.
  let condition: String
  /// The fault of the wrong rows, said of them: "lead by ZCATEGORY to no Category".
  let problem: String
  let remedy: String
  /// Statements that mend all of them; empty where that takes a decision.
  var repair: [String] = []

  /// The query of the wrong rows' keys, or of what identifies them where the key has several
  /// columns.
  func query(_ dialect: any SQLDialect) -> String {
    "SELECT t.\(dialect.rowIdentifier(ofKey: key)) FROM \(dialect.identifier(table)) t WHERE \(condition) ORDER BY 1"
  }

  /// The finding of some wrong rows, in words.
  func finding(_ rows: [Int64]) -> StoreFinding {
    let shown = rows.prefix(10).map(String.init).joined(separator: ", ")
    let keys = rows.count > 10 ? "\(shown) and more" : shown
    let count = rows.count == 1 ? "1 row" : "\(rows.count) rows"
    return StoreFinding(
      kind,
      "\(table): \(count) \(problem) (\(keys))",
      remedy: remedy,
      repair: repair.isEmpty ? nil : .statements(repair)
    )
  }
}
