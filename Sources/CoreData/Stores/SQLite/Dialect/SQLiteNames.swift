/// The names that Apple's framework gives tables, columns and indexes (seen in Apple-made stores).
struct SQLiteNames: SQLNames {
  let primaryKey = "Z_PK"
  let entity = "Z_ENT"
  let version = "Z_OPT"
  let entityTable = "Z_PRIMARYKEY"

  func table(_ entity: String) -> String { "Z" + entity.uppercased() }

  func column(_ property: String) -> String { "Z" + property.uppercased() }

  func entityColumn(of foreignKey: String, destination: Int64) -> String { "Z\(destination)_\(foreignKey.dropFirst())" }

  func orderColumn(of foreignKey: String) -> String { "Z_FOK_\(foreignKey.dropFirst())" }

  func foreignKey(of relationship: SQLRelationshipName) -> String {
    "Z\(relationship.number)\(relationship.relationship.uppercased())"
  }

  /// Older frameworks name a table after the other side.
  func join(_ first: SQLRelationshipName, second: SQLRelationshipName?) -> SQLJoinNames {
    let other = second ?? first
    let target = joined(other.number, relationship: first.relationship)
    return SQLJoinNames(
      tables: [
        joined(first.number, relationship: first.relationship),
        joined(other.number, relationship: other.relationship),
        joined(first.number, relationship: other.relationship), target,
      ],
      first: second.map { [joined(first.number, relationship: $0.relationship)] } ?? [
        "REFLEXIVE", target + "1",
      ],
      second: [target]
    )
  }

  func orderColumns(ofJoined column: String, of relationship: SQLRelationshipName) -> [String] {
    ["Z_FOK_\(column.dropFirst(2))", "Z_FOK_\(relationship.number)\(relationship.relationship.uppercased())"]
  }

  func index(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }

  func fetchIndex(entity: String, name: String) -> String { "Z_\(entity)_\(name)" }

  func compoundIndex(table: String, columns: [String]) -> String { ([table] + columns).joined(separator: "_") }

  func uniqueIndex(entity: String, properties: [String]) -> String {
    "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
  }

  private func joined(_ entity: Int64, relationship: String) -> String { "Z_\(entity)\(relationship.uppercased())" }
}

extension SQLSchemaBuilder {
  /// Builds the schema of a SQLite store.
  ///
  /// - Parameters:
  ///   - catalog: the tables that are there already; `nil` for a new store.
  ///   - formerJoins: the older join tables, whose names a new schema keeps.
  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` when the database lacks tables or columns
  ///   that the model needs.
  static func build(
    model: NSManagedObjectModel,
    entities: [NSEntityDescription],
    catalog: SQLCatalog? = nil,
    formerJoins: SQLFormerJoins? = nil
  ) throws -> SQLSchema {
    try build(
      model: model,
      entities: entities,
      catalog: catalog,
      names: SQLiteNames(),
      formerJoins: formerJoins
    )
  }
}

/// The tables that every store has in addition to those of its entities.
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
