import Foundation
import SQLiteDriver

extension SQLiteDialect: SQLMigrationDialect {
  var asidePrefix: String { "Z_OLD_" }

  func converted(_ value: String, to storage: SQLStorage, of type: NSAttributeType) -> String {
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

  func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String { "DROP TRIGGER \(identifier(trigger.name))" }

  func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement] {
    // Larger numbers are those of the history's own entities.
    let removal = "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(SQLiteHistoryTables.changeNumber)"
    let rows = schema.entities.map { entity in
      SQLiteSystemTables.primaryKeyRow(entity, in: schema, lastKey: lastKeys[entity.number] ?? 0)
    }
    return [SQLStatement(sql: removal)] + rows
  }
}

/// The SQL functions of a migration, for data whose attribute begins or ceases to allow values in files.
enum SQLiteMigrationFunctions {
  /// The value with the mark of data that stay in the database.
  static let marked = "perennial_marked"
  /// The value itself, read from its file if it is stored in one.
  static let unmarked = "perennial_unmarked"

  static func register(in database: Database, folder: ExternalDataFolder) {
    database.addFunction(marked, argumentCount: 1) { values in
      Data(databaseValue: values[0]).map(ExternalDataFolder.inline)
    }
    database.addFunction(unmarked, argumentCount: 1) { values in
      try Data(databaseValue: values[0])?.withUnsafeBytes { try folder.value($0) }
    }
  }
}

extension SQLMigrationSource {
  /// Reads the indexes, the triggers and the constraints from SQLite's schema table, and the last
  /// keys from the table of entities.
  init(_ database: Database) throws {
    let rows = try DatabaseRow.fetchAll(
      database,
      sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid"
    )
    for row in rows {
      guard let type: String = row[0], let name: String = row[1], let table: String = row[2],
        let sql: String = row[3]
      else { continue }
      let part = Part(name: name, table: table, sql: sql)
      switch type {
      case "index": indexes.append(part)
      case "trigger" where part.name.hasPrefix("Z_DA_"): derivationTriggers.append(part)
      case "table" where part.sql.uppercased().contains("UNIQUE"): constrainedTables.insert(part.name.uppercased())
      default: break
      }
    }
    for row in try DatabaseRow.fetchAll(database, sql: "SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY") {
      if let number: Int64 = row[0] { lastKeys[number] = row[1] ?? 0 }
    }
  }
}
