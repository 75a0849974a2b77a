/// A column of a grid.
package struct GridColumn: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case attribute(type: String)
    case toOne(destination: String)
    case toMany(destination: String)
  }

  package let name: String
  package let kind: Kind
  /// True when the store can sort by it.
  package let isSortable: Bool
  package let isNumber: Bool
}

/// A cell of a grid.
package enum GridCell: Sendable, Hashable {
  /// The entity of the row has no such property.
  case absent
  case value(ShownValue)
  /// The destination of a to-one relationship.
  case object(ObjectLink)
  /// The number of destinations of a to-many relationship; at least so many where it is capped.
  case count(Int, isCapped: Bool)
  /// The value could not be read, for a reason.
  case unreadable(String)
}

/// How much of its values a grid has.
package enum GridDetail: Sendable {
  /// The beginnings of values, and the statement that found the rows.
  case summary
  /// The values in full, and no statement.
  case whole
}

/// A row of a grid.
package struct GridRow: Sendable, Hashable {
  package let link: ObjectLink
  /// The object's place in the ordered relationship that the grid shows, counted from 1; `nil` for another order.
  package let number: Int?
  package let cells: [GridCell]
}

/// The statement that a page was fetched by.
package struct ShownStatement: Sendable, Hashable {
  package let sql: String
  package let bindings: [String]
  /// The database's plan, a line for each step.
  package let plan: [String]
}

/// A page of a grid.
package struct GridPage: Sendable {
  package let columns: [GridColumn]
  package let rows: [GridRow]
  /// The places at which the pages before and behind this one begin; `nil` where there is none.
  package let previous: GridPosition?
  package let next: GridPosition?
  /// `nil` for a store without SQL.
  package let statement: ShownStatement?
  /// The time that the store took.
  package let duration: Duration
}
