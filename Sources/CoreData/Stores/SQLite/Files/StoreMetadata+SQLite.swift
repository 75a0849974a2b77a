import CSystemSQLite
import Foundation
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
    let query = SQLStatement(sql: "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let uuid = SQLiteCell(statement: row, column: 0)
      let list = SQLiteCell(statement: row, column: 1)
      found = StoreMetadata(
        uuid: uuid.type == SQLITE_NULL ? "" : try uuid.text(),
        properties: list.type == SQLITE_NULL
          ? [:] : try properties(Data(try list.bytes()), in: "Z_METADATA", store: file)
      )
    }
    return found
  }

  /// - Throws: an error that names the key whose value no property list can hold.
  func write(to database: Database, file: URL, isNew: Bool) throws {
    let data = try data(store: file)
    let sql =
      isNew
      ? "INSERT INTO Z_METADATA (Z_PLIST, Z_UUID, Z_VERSION) VALUES (?, ?, 1)"
      : "UPDATE Z_METADATA SET Z_PLIST = ?, Z_UUID = ?"
    try SQLiteQuery(
      SQLStatement(sql: sql, bindings: [.blob(data), .text(uuid)]),
      in: database,
      isCached: false
    )
    .run()
  }
}
