/// Makes tables and indexes, and writes rows.
extension SQLiteDialect {
  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String {
    switch storage {
    case .integer, .order: "INTEGER"
    case .real: attribute == .dateAttributeType ? "TIMESTAMP" : "FLOAT"
    case .decimal: "DECIMAL"
    case .text, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }

  /// Spelled as in Apple-made stores.
  func indexElement(_ column: String, isAscending: Bool) -> String {
    "\(identifier(column)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")"
  }

  func triggers(of schema: SQLSchema) throws -> [String] {
    try SQLiteTriggerBuilder(schema: schema, dialect: self).triggers().map { $0.creation(self) }
  }

  // MARK: - Rows

  func insertionOfMissing(into table: String, _ columns: [String], _ rows: String) -> String {
    "INSERT OR IGNORE INTO \(identifier(table)) (\(columns.map(identifier).joined(separator: ", "))) \(rows)"
  }

  /// SQLite finds out by itself which constraint is broken.
  func conflictTarget(_ constraints: [SQLConstraint]) -> String { "" }

  func conflictingColumn(_ column: String, of table: String) -> String { identifier(column) }

  /// A column of whole numbers would keep a fraction.
  func writeAssigned(
    _ value: SQLWrite,
    _ kind: SQLKind,
    to attribute: NSAttributeDescription,
    to writer: inout SQLWriter
  ) throws {
    let isWhole = SQLKind(attribute) == .integer
    guard isWhole, kind != .integer else { return try value(&writer) }
    writer.write("CAST(")
    try value(&writer)
    writer.write(" AS \(columnType(.integer, of: nil)))")
  }

  /// Every table has it, and it is the key where the key is one whole number.
  func rowIdentifier(ofKey columns: [String]) -> String { "rowid" }
}
