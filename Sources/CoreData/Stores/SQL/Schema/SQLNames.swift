/// The names that a store gives tables, columns and indexes.
///
/// If a name is taken already, the caller adds a number at its end.
package protocol SQLNames: Sendable {
  /// The column of a row's key.
  var primaryKey: String { get }

  /// The column of the number of a row's entity.
  var entity: String { get }

  /// The column of a row's version.
  var version: String { get }

  /// The table of the entities' numbers and of the last keys that were given out.
  var entityTable: String { get }

  /// The names that tables of entities and relationships must not have, in a database where a number
  /// resolves conflicts; `nil` where each table has its own name in any case.
  var systemTables: Set<String>? { get }

  /// True when entities keep their numbers in a store, so that the numbers do not follow an order.
  var keepsEntityNumbers: Bool { get }

  /// The columns that the database itself gives every table, whose names no property's column may have.
  var systemColumns: [String] { get }

  /// The index that the database creates for the key of a table, where its name could conflict with that of
  /// another table or index; `nil` where it cannot.
  func keyIndex(ofTable table: String) -> String?

  /// The table of a root entity and of all entities under it.
  func table(_ entity: String) -> String

  /// The table that earlier versions of the library gave an entity; `nil` where it was the same.
  func formerTable(_ entity: String) -> String?

  /// The column of an attribute or a to-one relationship.
  func column(_ property: String) -> String

  /// The column that accompanies a foreign key and contains the entity of its row, where the destination
  /// has subentities.
  ///
  /// - Parameter destination: the number of the destination in the store.
  func entityColumn(of foreignKey: String, destination: Int64) -> String

  /// The column that accompanies a foreign key and contains the row's place in the ordered relationship on
  /// the other side.
  func orderColumn(of foreignKey: String) -> String

  /// The foreign key of a to-many relationship that has no inverse, in its destination's table.
  func foreignKey(of relationship: SQLRelationshipName) -> String

  /// The table of a many-to-many relationship and its columns.
  ///
  /// - Parameters:
  ///   - first: the relationship that the table is named after.
  ///   - second: the inverse of it; `nil` for a relationship that is its own inverse.
  func join(_ first: SQLRelationshipName, second: SQLRelationshipName?) -> SQLJoinNames

  /// The columns for the order of the rows that another column of the same join table refers to: the one of
  /// a new store, and those that an existing one may have.
  func orderColumns(ofJoined column: String, of relationship: SQLRelationshipName) -> [String]

  /// The index of a foreign key, of the column of entities, or of the second column of a join table.
  func index(table: String, column: String) -> String

  /// An index that an entity of the model has by a name.
  func fetchIndex(entity: String, name: String) -> String

  /// The index over the folded form of an attribute's texts; `nil` where the store does not use such indexes.
  ///
  /// - Parameter letters: the folded differences, such as `cd`.
  func foldedIndex(entity: String, property: String, letters: String) -> String?

  /// An index that older models have without a name.
  func compoundIndex(table: String, columns: [String]) -> String

  /// The index of a uniqueness constraint.
  func uniqueIndex(entity: String, properties: [String]) -> String
}

extension SQLNames {
  package var systemTables: Set<String>? { nil }

  package var keepsEntityNumbers: Bool { false }

  package var systemColumns: [String] { [] }

  package func keyIndex(ofTable table: String) -> String? { nil }

  package func formerTable(_ entity: String) -> String? { nil }

  package func foldedIndex(entity: String, property: String, letters: String) -> String? { nil }
}

/// A relationship, as far as names depend on it.
package struct SQLRelationshipName {
  /// The entity that declares the relationship, and the number that the store gives the entity.
  package let entity: String
  let number: Int64
  package let relationship: String
}

/// The names of a many-to-many relationship: those of a new store first, then those that an existing one may have.
package struct SQLJoinNames {
  let tables: [String]
  /// The names that only earlier versions of the library gave, and that no store keeps when it is migrated.
  var formerTables: [String] = []
  /// The column of the keys that the first of the two relationships leads from.
  let first: [String]
  /// The column of the keys that it leads to.
  let second: [String]

  package init(tables: [String], formerTables: [String] = [], first: [String], second: [String]) {
    self.tables = tables
    self.formerTables = formerTables
    self.first = first
    self.second = second
  }
}
