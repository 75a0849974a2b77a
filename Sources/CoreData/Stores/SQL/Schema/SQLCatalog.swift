/// The contents of an existing database: its tables with their columns, and the numbers it gave to entities.
///
/// A store is read by its actual names, because migrations and older frameworks name and number
/// some things differently.
package struct SQLCatalog: Equatable {
  /// The columns of each table, by the table's name in upper case.
  package private(set) var tables: [String: SQLCatalogTable] = [:]
  /// The number of each entity, by the entity's name.
  package var entityNumbers: [String: Int64] = [:]

  package init(entityNumbers: [String: Int64] = [:]) { self.entityNumbers = entityNumbers }

  package mutating func add(table: String, columns: [String]) {
    tables[table.uppercased()] = SQLCatalogTable(name: table, columns: columns)
  }

  package func table(_ name: String) -> SQLCatalogTable? { tables[name.uppercased()] }
}

/// A table of an existing database.
package struct SQLCatalogTable: Equatable {
  package let name: String
  let columns: [String]
  private let byUppercaseName: [String: String]

  init(name: String, columns: [String]) {
    self.name = name
    self.columns = columns
    byUppercaseName = Dictionary(
      columns.map { ($0.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  package static func == (first: SQLCatalogTable, second: SQLCatalogTable) -> Bool {
    first.name == second.name && first.columns == second.columns
  }

  /// The column as the database spells it.
  package func column(_ name: String) -> String? { column(uppercase: name.uppercased()) }

  /// The column with a name in upper case as the database spells it.
  func column(uppercase name: String) -> String? { byUppercaseName[name] }
}
