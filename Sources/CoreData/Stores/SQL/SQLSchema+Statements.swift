extension SQLSchema {
  /// The statements that make the tables and indexes of a new store, spelled as Apple's framework spells them.
  func creationStatements(_ dialect: any SQLDialect) -> [String] {
    tables.map { Self.creation(of: $0, dialect) }
      + joinTables.map { Self.creation(of: $0, dialect) }
      + indexes.map { Self.creation(of: $0, dialect) }
      + joinTables.map { Self.indexCreation(of: $0, dialect) }
  }

  static func creation(of table: SQLTable, _ dialect: any SQLDialect) -> String {
    let system = [
      "Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER",
    ]
    let columns = table.columns.map {
      "\(dialect.identifier($0.name)) \(dialect.columnType($0.storage, of: $0.attributeType))"
    }
    return "CREATE TABLE \(dialect.identifier(table.name)) ( \((system + columns).joined(separator: ", ")) )"
  }

  static func creation(of join: SQLJoinTable, _ dialect: any SQLDialect) -> String {
    let integer = dialect.columnType(.integer, of: nil)
    let keys = [join.first.name, join.second.name].map(dialect.identifier)
    let orders = [join.first.order, join.second.order].compactMap(\.self).map(dialect.identifier)
    let columns = (keys + orders).map { "\($0) \(integer)" }
    return "CREATE TABLE \(dialect.identifier(join.name)) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keys.joined(separator: ", "))) )"
  }

  static func creation(of index: SQLIndex, _ dialect: any SQLDialect) -> String {
    let elements = index.elements.map { element in
      let column = dialect.identifier(element.column)
      return index.hasCollation ? "\(column) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" : column
    }
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.identifier(index.name)) "
      + "ON \(dialect.identifier(index.table)) (\(elements.joined(separator: ", ")))"
  }

  static func indexCreation(of join: SQLJoinTable, _ dialect: any SQLDialect) -> String {
    let name = SQLNames.joinIndex(table: join.name, column: join.second.name)
    return "CREATE INDEX \(dialect.identifier(name)) ON \(dialect.identifier(join.name)) "
      + "(\(dialect.identifier(join.second.name)), \(dialect.identifier(join.first.name)))"
  }
}
