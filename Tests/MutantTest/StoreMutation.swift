import Deflate
import Foundation
import SQLiteDriver

/// Mutates the contents of a SQLite store in ways that SQLite's own checks accept.
struct StoreMutation {
  private let store: URL

  init(_ store: URL) { self.store = store }

  /// Changes cells of any table, most often of the system's tables, or drops tables and columns.
  func changeCells(_ random: inout RandomNumbers) throws {
    var random = random
    try write { database in
      for _ in 0..<(1 + random.below(4)) {
        let tables = try String.fetchAll(
          database,
          sql:
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        )
        let system = tables.filter { $0.hasPrefix("Z_") || $0.hasPrefix("A") }
        guard let table = (random.once(in: 2) ? system : tables).element(&random) ?? tables.element(&random)
        else { return }
        try change(table, in: database, &random)
      }
    }
  }

  private func change(_ table: String, in database: Database, _ random: inout RandomNumbers) throws {
    let columns = try database.columns(in: table).map(\.name)
    guard let column = columns.element(&random) else { return }
    let row = "rowid = (SELECT rowid FROM \"\(table)\" ORDER BY rowid LIMIT 1 OFFSET \(random.below(8)))"
    let change: String
    switch random.below(12) {
    case 0: change = "DELETE FROM \"\(table)\" WHERE \(row)"
    case 1: change = "DELETE FROM \"\(table)\""
    case 2: change = "DROP TABLE \"\(table)\""
    case 3: change = "ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column)\" TO \"Z_GONE\(random.below(100))\""
    case 4: change = "ALTER TABLE \"\(table)\" ADD COLUMN \"ZNEW\(random.below(100))\""
    case 5: change = "UPDATE \"\(table)\" SET \"\(column)\" = \(Self.value(&random))"
    default: change = "UPDATE \"\(table)\" SET \"\(column)\" = \(Self.value(&random)) WHERE \(row)"
    }
    // A constraint or a trigger may forbid the change; the store then stays as it is.
    try? database.execute(sql: change)
  }

  private static func value(_ random: inout RandomNumbers) -> String {
    [
      "NULL", "0", "1", "-1", "2", "32767", "32768", "-32769", "2147483648", "9223372036854775807",
      "-9223372036854775808", "9223372036854775806", "1e308", "-1e308", "9e999", "0.5", "'text'", "''",
      "'9223372036854775808'", "x''", "x'02'", "x'01ff'", "x'62706c6973743030'", "'\u{1B}[31m'", "'Person'",
      "zeroblob(5000000)", "CAST(x'ff80' AS TEXT)", "'z' || char(0) || 'z'",
    ].element(&random) ?? "NULL"
  }

  /// Mutates the cached model: its archive is changed before it is compressed.
  func changeModelCache(_ random: inout RandomNumbers) throws {
    var random = random
    try write { database in
      guard let data = try? Data.fetchOne(database, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE") else { return }
      guard !random.once(in: 4), let archive = try? Deflate.expanded(data, atMost: 1 << 26) else {
        let changed = FileMutation.changed([UInt8](data), &random)
        return try database.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", arguments: [changed])
      }
      let changed = try Deflate.compressed(FileMutation.changed([UInt8](archive), &random))
      try database.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", arguments: [changed])
    }
  }

  func changeMetadata(_ random: inout RandomNumbers) throws {
    var random = random
    try write { database in
      guard let data = try Data.fetchOne(database, sql: "SELECT Z_PLIST FROM Z_METADATA") else { return }
      let changed = FileMutation.changed([UInt8](data), &random)
      try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [changed])
    }
  }

  /// Mutates the property lists in the cells, including archives.
  func changeArchives(_ random: inout RandomNumbers) throws {
    var random = random
    try write { database in
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' ORDER BY name"
      )
      for table in tables where table != "Z_METADATA" && table != "Z_MODELCACHE" {
        for column in try database.columns(in: table).map(\.name) {
          let rows = try DatabaseRow.fetchAll(
            database,
            sql: """
              SELECT rowid AS number, "\(column)" AS value FROM "\(table)" \
              WHERE typeof("\(column)") = 'blob' AND substr("\(column)", 1, 6) = CAST('bplist' AS BLOB)
              """
          )
          for row in rows {
            guard let number: Int64 = row[0], let data: Data = row[1] else { continue }
            let changed = ArchiveMutation.changed(data, &random)
            try database.execute(
              sql: "UPDATE \"\(table)\" SET \"\(column)\" = ? WHERE rowid = ?",
              arguments: [changed, number]
            )
          }
        }
      }
    }
  }

  /// Removes, truncates and replaces external data files.
  func changeExternalFiles(_ random: inout RandomNumbers) throws {
    let name = store.deletingPathExtension().lastPathComponent
    let folder = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
    let manager = FileManager.default
    let names = try manager.contentsOfDirectory(atPath: folder.path).sorted()
    guard let name = names.element(&random) else { return }
    let file = folder.appendingPathComponent(name)
    switch random.below(7) {
    case 0: try manager.removeItem(at: file)
    case 1: try Data().write(to: file)
    case 2: try FileMutation.change(file, &random)
    case 3:
      try manager.removeItem(at: file)
      try manager.createDirectory(at: file, withIntermediateDirectories: false)
    case 4:
      try manager.removeItem(at: file)
      try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "/etc/passwd")
    case 5:
      try manager.removeItem(at: file)
      mkfifo(file.path, 0o600)
    default: try manager.removeItem(at: folder)
    }
  }

  private func write(_ change: (Database) throws -> Void) throws {
    let queue = try SQLiteConnection(path: store.path)
    // Triggers in Apple-made stores call functions that only Apple's framework registers.
    try queue.use { database in
      try database.inTransaction { try change(database) }
      _ = try? DatabaseRow.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }
}
