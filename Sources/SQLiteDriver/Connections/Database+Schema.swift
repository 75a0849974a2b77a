/// A column of a table, as the table was declared.
package struct DatabaseColumn: Sendable {
  package let name: String
  /// The declared type; empty for none.
  package let type: String
}

extension Database {
  /// True when the database has a table with the name, ignoring case.
  package func tableExists(_ name: String) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE)"
    return try Bool.fetchOne(self, sql: sql, arguments: [name]) ?? false
  }

  /// The columns of a table, in their order; empty if there is no such table.
  package func columns(in table: String) throws -> [DatabaseColumn] {
    try DatabaseRow.fetchAll(
      self,
      sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid",
      arguments: [table]
    )
    .map { DatabaseColumn(name: $0[0] ?? "", type: $0[1] ?? "") }
  }
}
