import CSystemSQLite
import Foundation
import PropertyLists
import SQLiteDriver

/// The metadata of a SQLite store are the one row of the table `Z_METADATA`.
extension StoreMetadata {
  /// The metadata of a new SQLite store.
  init(sqliteStoreOf model: NSManagedObjectModel) {
    self.init(model: model, storeType: NSSQLiteStoreType)
    setSQLiteProperties()
  }

  /// Sets the metadata that every SQLite store has, independently of its model.
  mutating func setSQLiteProperties() {
    properties[NSStoreTypeKey] = NSSQLiteStoreType
    properties["_NSAutoVacuumLevel"] = "2"
  }

  /// The join tables with guessed names, because the model does not determine them. Apple's
  /// framework may use other names.
  var guessedJoinTables: [String] { properties[Self.guessedJoinTablesKey] as? [String] ?? [] }

  /// Records which join tables of a new schema have guessed names.
  ///
  /// - Parameter former: the guessed tables of the older schema. Tables that keep their names stay
  ///   guessed, or not, as they were.
  mutating func setGuessedJoinTables(of schema: SQLSchema, after former: [String] = []) {
    let guessed = schema.joinTables.filter { table in table.former.map(former.contains) ?? table.isGuessed }
    properties[Self.guessedJoinTablesKey] = guessed.isEmpty ? nil : guessed.map(\.name).sorted()
  }

  /// Writes the values of some keys. Values that other programs have written under other keys in the meantime stay.
  ///
  /// - Returns: all that is written.
  func write(_ keys: Set<String>, to database: Database, file: URL) throws -> StoreMetadata {
    var merged = try Self.read(from: database, file: file) ?? self
    for key in keys { merged.properties[key] = properties[key] }
    try merged.write(to: database, file: file, isNew: false)
    return merged
  }

  /// - Returns: `nil` when the database has no such row.
  /// - Throws: an error when the property list cannot be read.
  static func read(from database: Database, file: URL) throws -> StoreMetadata? {
    var found: StoreMetadata?
    try SQLiteQuery(SQLStatement(sql: reading), in: database, isCached: false).forEachRow { row in
      let uuid = SQLiteCell(statement: row, column: 0)
      let list = SQLiteCell(statement: row, column: 1)
      let largeRow = SQLiteCell(statement: row, column: 2)
      func bytes() throws -> SharedBytes? {
        if largeRow.type != SQLITE_NULL {
          return try database.withBlob(table: "Z_METADATA", column: "Z_PLIST", row: largeRow.int64) { count, read in
            try SharedBytes(count: count, fill: read)
          }
        }
        if list.type == SQLITE_NULL { return nil }
        let bytes = try list.bytes()
        return SharedBytes(count: bytes.count) { $0.copyMemory(from: bytes) }
      }
      found = StoreMetadata(
        uuid: uuid.type == SQLITE_NULL ? "" : try uuid.text(),
        properties: try bytes().map { try properties($0, in: "Z_METADATA", store: file) } ?? [:]
      )
    }
    return found
  }

  /// The size of a list in bytes above which it is large: it is read and written without copies in SQLite's memory.
  private static let mostCopiedBytes = 1_000_000

  /// The ledger of a large seed has dozens of megabytes, of which a query would make a copy in SQLite's memory.
  /// So the query answers the row of a large list in place of the list. It does not read a large list to know its length.
  private static let reading = """
    SELECT Z_UUID, iif(isLarge, NULL, Z_PLIST), iif(isLarge, row, NULL) \
    FROM (SELECT Z_UUID, Z_PLIST, rowid AS row, Z_VERSION, \
    typeof(Z_PLIST) = 'blob' AND length(Z_PLIST) > \(mostCopiedBytes) AS isLarge FROM Z_METADATA) ORDER BY Z_VERSION LIMIT 1
    """

  /// - Throws: an error that names the key whose value no property list can hold.
  func write(to database: Database, file: URL, isNew: Bool) throws {
    let data = try data(store: file)
    guard data.count > Self.mostCopiedBytes else {
      let sql =
        isNew
        ? "INSERT INTO Z_METADATA (Z_PLIST, Z_UUID, Z_VERSION) VALUES (?, ?, 1)"
        : "UPDATE Z_METADATA SET Z_PLIST = ?, Z_UUID = ?"
      return try Self.run(sql, bindings: [.blob(data), .text(uuid)], in: database)
    }
    if isNew { try Self.run("INSERT INTO Z_METADATA (Z_VERSION) VALUES (1)", in: database) }
    for row in try Int64.fetchAll(database, sql: "SELECT rowid FROM Z_METADATA") {
      // SQLite takes pages for a new value before it frees those of the old one, so the old one is removed first. Each
      // statement changes one row: SQLite keeps the former pages in a file for a statement that may change several.
      try Self.run("UPDATE Z_METADATA SET Z_PLIST = NULL WHERE rowid = ?", bindings: [.integer(row)], in: database)
      // SQLite copies the values of a statement twice. So the list is written over zeros.
      try Self.run(
        "UPDATE Z_METADATA SET Z_PLIST = zeroblob(?), Z_UUID = ? WHERE rowid = ?",
        bindings: [.integer(Int64(data.count)), .text(uuid), .integer(row)],
        in: database
      )
      try database.writeBlob(data, table: "Z_METADATA", column: "Z_PLIST", row: row)
    }
  }

  private static func run(_ sql: String, bindings: [SQLValue] = [], in database: Database) throws {
    try SQLiteQuery(SQLStatement(sql: sql, bindings: bindings), in: database, isCached: false).run()
  }
}
