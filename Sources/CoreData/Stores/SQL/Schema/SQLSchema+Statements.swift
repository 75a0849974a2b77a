import Predicates

extension SQLSchema {
  /// The statements that make the tables, indexes and triggers of a new store, in the order of Apple's framework.
  ///
  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for a derived attribute that the store cannot compute.
  package func creationStatements(_ dialect: any SQLDialect) throws -> [String] {
    let tables = tables.flatMap { table in
      [Self.creation(of: table, dialect: dialect)]
        + joins(of: table).map { Self.creation(of: $0, dialect: dialect) }
    }
    let indexes = self.tables.flatMap { table in
      self.indexes.filter { $0.table == table.name && dialect.canBuild($0) }
        .map { Self.creation(of: $0, dialect: dialect) }
        + joins(of: table).map { Self.indexCreation(of: $0, dialect: dialect) }
    }
    return tables + indexes + (try dialect.triggers(of: self))
  }

  private func joins(of table: SQLTable) -> [SQLJoinTable] { joinTables.filter { $0.owner === table } }

  static func creation(of table: SQLTable, dialect: any SQLDialect) -> String {
    let integer = dialect.columnType(.integer, of: nil)
    let system = [
      "\(dialect.identifier(table.primaryKey)) \(integer) PRIMARY KEY",
      "\(dialect.identifier(table.entityColumn)) \(integer)",
      "\(dialect.identifier(table.versionColumn)) \(integer)",
    ]
    let columns = table.columns.map {
      "\(dialect.identifier($0.name)) \(dialect.columnType($0.storage, of: $0.attributeType))"
    }
    return "CREATE TABLE \(dialect.identifier(table.name)) ( \((system + columns).joined(separator: ", ")) )"
  }

  static func creation(of join: SQLJoinTable, dialect: any SQLDialect) -> String {
    let integer = dialect.columnType(.integer, of: nil)
    let keys = [join.first.name, join.second.name].map(dialect.identifier)
    let orders = [join.first.order, join.second.order].compactMap(\.self).map(dialect.identifier)
    let columns = (keys + orders).map { "\($0) \(integer)" }
    return "CREATE TABLE \(dialect.identifier(join.name)) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(keys.joined(separator: ", "))) )"
  }

  package static func creation(of index: SQLIndex, dialect: any SQLDialect) -> String {
    "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.identifier(index.name)) "
      + "ON \(dialect.identifier(index.table)) (\(elements(of: index, dialect: dialect)))"
  }

  /// What stands between the parentheses of an index.
  package static func elements(of index: SQLIndex, dialect: any SQLDialect) -> String {
    let elements = index.elements.map { element -> String in
      if !element.folding.isEmpty { return dialect.foldedIndexElement(element.column, folding: element.folding) }
      return index.hasCollation
        ? dialect.indexElement(element.column, isAscending: element.isAscending)
        : dialect.identifier(element.column)
    }
    return elements.joined(separator: ", ")
  }

  package static func indexCreation(of join: SQLJoinTable, dialect: any SQLDialect) -> String {
    "CREATE INDEX \(dialect.identifier(join.index)) ON \(dialect.identifier(join.name)) "
      + "(\(indexElements(of: join, dialect: dialect)))"
  }

  /// The part between the parentheses of a join table's index.
  package static func indexElements(of join: SQLJoinTable, dialect: any SQLDialect) -> String {
    "\(dialect.identifier(join.second.name)), \(dialect.identifier(join.first.name))"
  }
}
