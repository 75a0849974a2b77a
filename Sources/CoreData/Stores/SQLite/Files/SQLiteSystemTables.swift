/// The tables that every store has beside those of its entities.
enum SQLiteSystemTables {
  /// The texts are the same in all Apple-made stores. The table of the model cache holds an archive
  /// of the model, for migrations without the model file; stores open without.
  static let creationStatements = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    modelCache,
  ]

  /// The columns that every row of an entity has.
  static let rowColumns = [SQLiteNames().primaryKey, SQLiteNames().entity, SQLiteNames().version]

  static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// The row of an entity in a store.
  ///
  /// - Parameter lastKey: the last key that was given out under it, 0 in a new store.
  static func primaryKeyRow(_ entity: SQLEntity, in schema: SQLSchema, lastKey: Int64 = 0) -> SQLStatement {
    let parent = entity.entity.superentity.flatMap { schema.entity(modelNumber: Int32($0.number)) }
    return SQLStatement(
      sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
      bindings: [
        .integer(entity.number), .text(entity.entity.name ?? ""), .integer(parent?.number ?? 0),
        .integer(lastKey),
      ]
    )
  }
}
