import GRDB

/// What a database has beside its tables' columns that a migration has to know.
struct SQLiteMigrationSource {
  /// An index or a trigger.
  struct Part {
    let name: String
    let table: String
    let sql: String
  }

  private(set) var indexes: [Part] = []
  /// The triggers that keep derived attributes.
  private(set) var derivationTriggers: [Part] = []
  /// The statement that made each table, by the table's name in upper case.
  private(set) var tables: [String: String] = [:]
  /// The last key that was given out under each entity, by the entity's number.
  private(set) var lastKeys: [Int64: Int64] = [:]

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
      case "table": tables[part.name.uppercased()] = part.sql
      default: break
      }
    }
    for row in try GRDB.Row.fetchAll(database, sql: "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY") {
      if let number: Int64 = row[0] { lastKeys[number] = row[1] ?? 0 }
    }
  }

  /// Whether a table was made with constraints, as frameworks of before 2018 did where newer ones make indexes.
  func hasConstraints(_ table: String) -> Bool {
    tables[table.uppercased()]?.uppercased().contains("UNIQUE") ?? false
  }
}
