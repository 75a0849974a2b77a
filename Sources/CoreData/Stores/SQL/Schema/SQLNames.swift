/// The names that Apple's framework gives tables, columns and indexes (seen in Apple-made stores).
enum SQLNames {
  static let primaryKey = "Z_PK"
  static let entity = "Z_ENT"
  static let version = "Z_OPT"

  static func table(_ entity: String) -> String { "Z" + entity.uppercased() }

  static func column(_ property: String) -> String { "Z" + property.uppercased() }

  /// The column beside a foreign key that tells the entity of its row, where the destination has subentities.
  static func entityColumn(of foreignKey: String, destination: Int64) -> String {
    "Z\(destination)_\(foreignKey.dropFirst())"
  }

  /// The column beside a foreign key that keeps the row's place in the ordered relationship on the other side.
  static func orderColumn(of foreignKey: String) -> String { "Z_FOK_\(foreignKey.dropFirst())" }

  /// The foreign key of a to-many relationship that has no inverse, in its destination's table.
  static func foreignKey(ofRelationship name: String, source: Int64) -> String {
    "Z\(source)\(name.uppercased())"
  }

  /// A table or a column of a many-to-many relationship.
  static func joined(_ entity: Int64, _ relationship: String) -> String {
    "Z_\(entity)\(relationship.uppercased())"
  }

  /// The column that keeps the order of the rows that another column of the same join table names.
  static func orderColumn(ofJoined column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }

  /// The second column of a many-to-many relationship that is its own inverse.
  static let reflexive = "REFLEXIVE"

  static func index(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }

  static func fetchIndex(entity: String, name: String) -> String { "Z_\(entity)_\(name)" }

  static func uniqueIndex(entity: String, properties: [String]) -> String {
    "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
  }

  static func joinIndex(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }
}
