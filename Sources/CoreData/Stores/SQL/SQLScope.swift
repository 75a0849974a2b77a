/// The tables that take part in a query: the one whose rows are asked for, and those that key paths lead to.
///
/// A key path across a to-one relationship joins its destination once, however often it is used.
final class SQLScope {
  let schema: SQLSchema
  let entity: SQLEntity
  /// The alias of the entity's table.
  let alias: String
  private let aliases: SQLAliases
  private var joins: [Join] = []

  private struct Join {
    let table: SQLTable
    let alias: String
    let foreignKey: SQLColumnReference
  }

  init(_ entity: SQLEntity, schema: SQLSchema, aliases: SQLAliases) {
    self.schema = schema
    self.entity = entity
    self.aliases = aliases
    alias = aliases.next()
  }

  /// A scope for a query inside this one.
  func nested(_ entity: SQLEntity) -> SQLScope { SQLScope(entity, schema: schema, aliases: aliases) }

  /// An alias that no other table of the statement has.
  func newAlias() -> String { aliases.next() }

  /// The alias of the destination of a to-one relationship.
  func join(_ table: SQLTable, on foreignKey: SQLColumnReference) -> String {
    if let join = joins.first(where: { $0.foreignKey == foreignKey }) { return join.alias }
    let join = Join(table: table, alias: aliases.next(), foreignKey: foreignKey)
    joins.append(join)
    return join.alias
  }

  /// Writes the tables, as they stand behind `FROM`.
  func writeTables(to writer: inout SQLWriter) {
    writer.write(name: entity.table.name)
    writer.write(" \(alias)")
    writeJoins(to: &writer)
  }

  func writeJoins(to writer: inout SQLWriter) {
    for join in joins {
      writer.write(" LEFT JOIN ")
      writer.write(name: join.table.name)
      writer.write(" \(join.alias) ON \(join.alias).\(SQLNames.primaryKey) = ")
      writer.write(column: join.foreignKey)
    }
  }

  var key: SQLColumnReference { SQLColumnReference(alias: alias, name: SQLNames.primaryKey) }
}

/// Counts the aliases of a statement: t0, t1, …
final class SQLAliases {
  private var count = 0

  func next() -> String {
    defer { count += 1 }
    return "t\(count)"
  }
}
