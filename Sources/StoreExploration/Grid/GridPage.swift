/// A column of a grid.
package struct GridColumn: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case attribute(type: String)
    case toOne(destination: String)
    case toMany(destination: String)
  }

  package let name: String
  package let kind: Kind
  /// True if the store can sort by the column.
  package let isSortable: Bool
  package let isNumber: Bool

  /// The type of the values, or the destination, in words.
  package var typeWords: String {
    switch kind {
    case .attribute(let type): type
    case .toOne(let destination): "to one \(destination)"
    case .toMany(let destination): "to many \(destination)"
    }
  }
}

/// A cell of a grid.
package enum GridCell: Sendable, Hashable {
  /// The entity of the row does not have the property.
  case absent
  case value(ShownValue)
  /// The destination of a to-one relationship.
  case object(ObjectLink)
  /// The number of destinations of a to-many relationship. If it is capped, there may be more.
  case count(Int, isCapped: Bool)
  /// The value could not be read. The text is the reason.
  case unreadable(String)
}

/// The extent of the values in a grid.
package enum GridDetail: Sendable {
  /// Shortened values, and the statement that found the rows.
  case summary
  /// Complete values, without the statement.
  case whole
}

/// A row of a grid.
package struct GridRow: Sendable, Hashable {
  package let link: ObjectLink
  /// The object's position in the grid's ordered relationship, from 1; `nil` if the grid has another order.
  package let number: Int?
  package let cells: [GridCell]
}

/// The statement that fetched a page.
package struct ShownStatement: Sendable, Hashable {
  package let sql: String
  package let bindings: [String]
  /// The database's query plan, one line for each step.
  package let plan: [String]
}

/// A page of a grid.
package struct GridPage: Sendable {
  package let columns: [GridColumn]
  package let rows: [GridRow]
  /// The positions at which the previous and the next page begin; `nil` if there is no such page.
  package let previous: GridPosition?
  package let next: GridPosition?
  /// `nil` if the store does not use SQL.
  package let statement: ShownStatement?
  /// The time that the store took.
  package let duration: Duration
}
