extension SQLFetch {
  /// The query of the keys of the rows, in the fetch's order, by which SQLite goes over the table.
  ///
  /// SQLite keeps the first rows that it has met so far, and goes over a table by ascending keys. What is
  /// added later mostly has later dates and numbers: where the order is descending, nearly each row would
  /// take the place of others. So rows are gone over by descending keys then, in a query inside that the
  /// limit of -1, which is none, keeps apart. Texts would be copied from one query to the other, which takes
  /// longer than it saves.
  func scannedKeys() throws -> SQLStatement {
    let key = scope.entity.table.primaryKey
    guard query.span?.isAscending == false, let columns = numericSortColumns, !columns.isEmpty else {
      return try rows([key])
    }
    var writer = SQLWriter(dialect: dialect)
    let keyColumn = SQLColumnReference(alias: scope.alias, name: key)
    writer.write("SELECT ")
    writer.write(column: keyColumn)
    writer.write(" FROM (SELECT ")
    writer.write(column: keyColumn)
    for column in columns {
      writer.write(", ")
      writer.write(column: SQLColumnReference(alias: scope.alias, name: column))
    }
    writer.write(" FROM ")
    try writeTablesAndCondition(to: &writer)
    writer.write(" ORDER BY ")
    writer.write(column: keyColumn)
    writer.write(" DESC LIMIT -1) \(scope.alias) ORDER BY ")
    for (number, term) in order.enumerated() {
      if number > 0 { writer.write(", ") }
      try term(&writer)
    }
    dialect.writeLimit(query.limit, offset: query.offset, to: &writer)
    return try writer.checkedStatement()
  }

  /// The columns of numbers and dates that the rows are sorted by; `nil` where something else is a part of
  /// the order.
  private var numericSortColumns: [String]? {
    var columns: [String] = []
    for descriptor in query.sortDescriptors {
      guard let name = descriptor.key, case .slot(let number) = scope.entity.layout.places[name],
        let slot = scope.entity.slots[number], slot.elements.isEmpty,
        [.integer, .real, .decimal].contains(slot.storage)
      else { return nil }
      if !columns.contains(slot.column) { columns.append(slot.column) }
    }
    return columns
  }
}
