/// Finds the destinations of a relationship whose places in the order change.
package struct SQLLinkOrder<Connection: SQLQueryConnection> {
  /// A column of places.
  package enum Column {
    case foreignKey(SQLForeignKey, String)
    case join(SQLJoin, String)
  }

  /// The key of the object that the relationship leads from.
  package let source: Int64
  package let column: Column
  /// The destinations with another place than before.
  package let changes: [(key: Int64, place: Int64)]

  /// - Returns: `nil` for a relationship without an order in the database.
  package init?(
    _ order: SQLSavePlan.Order,
    references: SQLReferences,
    statements: SQLRowStatements,
    on connection: Connection
  ) throws {
    source = try references.permanentKey(of: order.source)
    let destinations = try order.destinations.map(references.permanentKey)
    let sql: String
    switch order.relationship {
    case .transient: return nil
    case .foreignKey(let key):
      guard let order = key.orderColumn else { return nil }
      column = .foreignKey(key, order)
      sql = statements.lookup([key.table.primaryKey, order], of: key.table.name, by: [key.column])
    case .join(let join):
      guard let order = join.orderColumn else { return nil }
      column = .join(join, order)
      sql = statements.lookup([join.target, order], of: join.table.name, by: [join.source])
    }
    var current: [Int64: Int64] = [:]
    try connection.forEachRow(of: SQLStatement(sql: sql, bindings: [.integer(source)]), preparation: .held) {
      if $0.cell(1) != nil { current[$0.number(0)] = $0.number(1) }
    }
    changes = SQLOrderKeys.changes(destinations, current)
  }
}
