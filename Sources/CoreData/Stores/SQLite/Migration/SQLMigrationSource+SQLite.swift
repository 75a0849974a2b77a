import GRDB

extension SQLMigrationSource {
  /// Reads the indexes, the triggers and the constraints from SQLite's own table, and the keys from
  /// that of the entities.
  init(_ database: Database) throws {
    let rows = try GRDB.Row.fetchAll(
      database,
      sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid"
    )
    for row in rows {
      let type: String = row[0]
      let part = Part(name: row[1], table: row[2], sql: row[3])
      switch type {
      case "index": indexes.append(part)
      case "trigger" where part.name.hasPrefix("Z_DA_"): derivationTriggers.append(part)
      case "table" where part.sql.uppercased().contains("UNIQUE"):
        constrainedTables.insert(part.name.uppercased())
      default: break
      }
    }
    for row in try GRDB.Row.fetchAll(database, sql: "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY") {
      if let number: Int64 = row[0] { lastKeys[number] = row[1] ?? 0 }
    }
  }
}
