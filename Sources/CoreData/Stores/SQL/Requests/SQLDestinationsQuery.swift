/// The query of the destinations of a to-many relationship: keys and entities, in order where it is ordered.
struct SQLDestinationsQuery {
  let relationship: SQLToMany
  let dialect: any SQLDialect

  /// The query for the destinations of one object. The first ones are in order for an ordered relationship, and in
  /// any order otherwise, so that the others need not be read and sorted.
  ///
  /// - Parameter limit: the number of destinations that are asked for; 0 for all.
  /// - Returns: `nil` for a transient relationship.
  func statement(from key: Int64, atMost limit: Int = 0) throws -> SQLStatement? {
    guard let table = destinations else { return nil }
    let columns = [table.primaryKey, table.entityColumn]
    return try statement(columns, answersSource: false, atMost: limit) { writer in
      writer.write(" = ")
      writer.bind(.integer(key))
    }
  }

  /// The query of some columns of the destinations of many objects, and in the last column the key
  /// of the object that each is a destination of: in order where the relationship is ordered, in any
  /// order where it is not, which saves the database sorting all of them at once.
  ///
  /// - Returns: `nil` for a transient relationship.
  func statement(_ columns: [String], fromEach keys: [Int64]) throws -> SQLStatement? {
    try statement(columns, answersSource: true, isSorted: isOrdered) { $0.writeMembership(of: .integers(keys)) }
  }

  /// True when the destinations are in an order of the application's.
  var isOrdered: Bool { order != nil }

  private func statement(
    _ columns: [String],
    answersSource: Bool,
    isSorted: Bool = true,
    atMost limit: Int = 0,
    from writeSource: (inout SQLWriter) -> Void
  ) throws -> SQLStatement? {
    guard let source, let destinations else { return nil }
    let key = SQLColumnReference(alias: "t0", name: destinations.primaryKey)
    var writer = SQLWriter(dialect: dialect)
    var word = "SELECT "
    for column in columns.map({ SQLColumnReference(alias: "t0", name: $0) }) + (answersSource ? [source] : []) {
      writer.write(word)
      writer.write(column: column)
      word = ", "
    }
    writer.write(" FROM ")
    switch relationship {
    case .foreignKey(let foreignKey): writer.write(table: foreignKey.table.name, alias: "t0")
    case .join(let join):
      writer.write(table: join.table.name, alias: "t1")
      writer.write(" JOIN ")
      writer.write(table: join.destinationTable.name, alias: "t0")
      writer.write(" ON ")
      writer.write(key, equals: SQLColumnReference(alias: "t1", name: join.target))
    case .transient: return nil
    }
    writer.write(" WHERE ")
    writer.write(column: source)
    writeSource(&writer)
    // The first ones need no order of their own.
    let sortsByKey = isSorted && limit == 0
    if order != nil || sortsByKey { writer.write(" ORDER BY ") }
    if let order {
      try dialect.writeSortTerm({ $0.write(column: order) }, by: nil, isAscending: true, to: &writer)
      if sortsByKey { writer.write(", ") }
    }
    if sortsByKey { writer.write(column: key) }
    dialect.writeLimit(limit, offset: 0, to: &writer)
    return writer.statement
  }

  private var destinations: SQLTable? {
    switch relationship {
    case .foreignKey(let foreignKey): foreignKey.table
    case .join(let join): join.destinationTable
    case .transient: nil
    }
  }

  /// The column of the order that an application gives the destinations; `nil` where it gives none.
  private var order: SQLColumnReference? {
    switch relationship {
    case .foreignKey(let foreignKey):
      foreignKey.orderColumn.map { SQLColumnReference(alias: "t0", name: $0) }
    case .join(let join): join.orderColumn.map { SQLColumnReference(alias: "t1", name: $0) }
    case .transient: nil
    }
  }

  /// The column of the key of the object that has the relationship.
  private var source: SQLColumnReference? {
    switch relationship {
    case .foreignKey(let foreignKey): SQLColumnReference(alias: "t0", name: foreignKey.column)
    case .join(let join): SQLColumnReference(alias: "t1", name: join.source)
    case .transient: nil
    }
  }
}
