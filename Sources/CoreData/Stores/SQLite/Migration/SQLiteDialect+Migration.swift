extension SQLiteDialect: SQLMigrationDialect {
  var asidePrefix: String { "Z_OLD_" }

  func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue? {
    try SQLiteBinding.defaultValue(of: attribute)
  }

  func converted(_ value: String, to storage: SQLStorage) -> String {
    switch storage {
    case .integer: "CAST(\(value) AS INTEGER)"
    case .real: "CAST(\(value) AS REAL)"
    // Columns keep values of every type.
    default: value
    }
  }

  func markedData(_ value: String) -> String { "\(SQLiteMigrationFunctions.marked)(\(value))" }

  func unmarkedData(_ value: String) -> String { "\(SQLiteMigrationFunctions.unmarked)(\(value))" }

  var now: String { "NSCoreDataNow()" }

  var nullReplacement: String { "IFNULL" }

  func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String {
    "DROP TRIGGER \(identifier(trigger.name))"
  }

  func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement] {
    // Larger numbers are those of the history's own entities.
    let removal = "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(SQLiteHistoryTables.changeNumber)"
    let rows = schema.entities.map { entity in
      SQLiteSystemTables.primaryKeyRow(entity, in: schema, lastKey: lastKeys[entity.number] ?? 0)
    }
    return [SQLStatement(sql: removal)] + rows
  }
}
