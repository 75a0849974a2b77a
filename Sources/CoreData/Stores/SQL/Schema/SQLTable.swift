import ModelFormats
import Predicates

/// The table of a root entity and of all entities under it.
package final class SQLTable {
  package let name: String
  package let root: NSEntityDescription
  /// The column of a row's key.
  package let primaryKey: String
  /// The column of the number of a row's entity.
  package let entityColumn: String
  /// The column of a row's version.
  package let versionColumn: String
  /// True when the table has rows of several entities, so that queries must check the entity.
  let hasSubentities: Bool
  /// All columns but the three that every table begins with, in their order.
  package var columns: [SQLColumn] = []

  init(name: String, root: NSEntityDescription, names: any SQLNames) {
    self.name = name
    self.root = root
    primaryKey = names.primaryKey
    entityColumn = names.entity
    versionColumn = names.version
    hasSubentities = !root.subentities.isEmpty
  }
}

/// A column of a table.
package struct SQLColumn {
  package let name: String
  package let storage: SQLStorage
  /// The attribute's type; `nil` for keys.
  package let attributeType: NSAttributeType?
}

/// The table of a many-to-many relationship: each row is a pair of keys.
package final class SQLJoinTable {
  package let name: String
  /// The table of the entity whose keys the first column contains. In a new store the join table comes after it.
  package let owner: SQLTable
  /// Contains keys of the entity with the lower number in a new store. An existing one may have the
  /// columns in the other order.
  package let first: SQLJoinColumn
  package let second: SQLJoinColumn
  /// The columns of the key, which is the pair.
  package var key: [String] { [first.name, second.name] }
  /// The name of the index that begins with the second column.
  package let index: String
  /// True for names of a new schema that the model does not determine, so that Apple's framework may use others.
  let isGuessed: Bool
  /// The name of the table in an older schema, where this one keeps its names.
  let former: String?

  init(
    name: String,
    owner: SQLTable,
    first: SQLJoinColumn,
    second: SQLJoinColumn,
    names: any SQLNames,
    isGuessed: Bool = false,
    former: String? = nil
  ) {
    self.name = name
    self.owner = owner
    self.first = first
    self.second = second
    index = names.index(table: name, column: second.name)
    self.isGuessed = isGuessed
    self.former = former
  }
}

/// A column of a join table.
package struct SQLJoinColumn {
  package let name: String
  /// The column with the order of this column's keys, if the relationship is ordered.
  package let order: String?
}

/// An index as a model asks for it.
package struct SQLIndex {
  package struct Element {
    package let column: String
    package var isAscending = true
    /// The differences that folding removes from a text. The element is the folded text.
    package var folding: TextOptions = []
  }

  package let name: String
  package let table: String
  package let elements: [Element]
  package var isUnique = false
  /// Fetches sort by the index, so that its columns are written with collation and direction.
  var hasCollation = true

  /// True for an index that needs functions for folding texts.
  package var isFolded: Bool { elements.contains { !$0.folding.isEmpty } }
}

/// A uniqueness constraint of an entity.
package struct SQLConstraint {
  let entity: NSEntityDescription
  package let table: String
  package let properties: [String]
  package let columns: [String]
}

/// The way in which a column keeps its values. The order of the cases is the order of the columns in a table.
package enum SQLStorage: Int, Comparable, CaseIterable {
  /// Whole numbers, truth values and foreign keys.
  case integer
  /// The place of a row in an ordered relationship.
  case order
  /// Dates and floating-point numbers, which are sorted by name together.
  case real
  case decimal
  case text
  case uuid
  case uri
  case transformable
  case binary

  package static func < (left: SQLStorage, right: SQLStorage) -> Bool { left.rawValue < right.rawValue }

  /// The storage of an attribute of a type; `nil` for a type that no column can hold.
  package init?(_ type: NSAttributeType) {
    switch type.storage {
    case .integer, .boolean: self = .integer
    case .real, .date: self = .real
    case .decimal: self = .decimal
    case .text: self = .text
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: self = .transformable
    case .data: self = .binary
    case .composite, .none: return nil
    }
  }
}
