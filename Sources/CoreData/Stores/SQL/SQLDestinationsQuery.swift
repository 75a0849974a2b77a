/// The query of the destinations of a to-many relationship: keys and entities, in order where it is ordered.
struct SQLDestinationsQuery {
  let relationship: SQLToMany
  let dialect: any SQLDialect

  init(_ relationship: SQLToMany, dialect: any SQLDialect) {
    self.relationship = relationship
    self.dialect = dialect
  }

  /// - Returns: `nil` for a transient relationship.
  func statement(from key: Int64) -> SQLStatement? {
    var writer = SQLWriter(dialect: dialect)
    let order: SQLColumnReference?
    writer.write("SELECT t0.Z_PK, t0.Z_ENT FROM ")
    switch relationship {
    case .foreignKey(let foreignKey):
      writer.write(name: foreignKey.table.name)
      writer.write(" t0 WHERE ")
      writer.write(column: SQLColumnReference(alias: "t0", name: foreignKey.column))
      order = foreignKey.orderColumn.map { SQLColumnReference(alias: "t0", name: $0) }
    case .join(let join):
      writer.write(name: join.table.name)
      writer.write(" t1 JOIN ")
      writer.write(name: join.destinationTable.name)
      writer.write(" t0 ON t0.Z_PK = ")
      writer.write(column: SQLColumnReference(alias: "t1", name: join.target))
      writer.write(" WHERE ")
      writer.write(column: SQLColumnReference(alias: "t1", name: join.source))
      order = join.orderColumn.map { SQLColumnReference(alias: "t1", name: $0) }
    case .transient: return nil
    }
    writer.write(" = ")
    writer.bind(.integer(key))
    writer.write(" ORDER BY ")
    if let order {
      writer.write(column: order)
      writer.write(", ")
    }
    writer.write("t0.Z_PK")
    return writer.statement
  }
}
