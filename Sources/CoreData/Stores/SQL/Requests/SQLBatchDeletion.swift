/// Deletes rows by their keys, and removes references to them. If no rows can refer to them, it deletes by a condition.
package struct SQLBatchDeletion {
  /// The entities of the rows, which share a table.
  let entities: [SQLEntity]
  let schema: SQLSchema
  let dialect: any SQLDialect

  package init(entities: [SQLEntity], schema: SQLSchema, dialect: any SQLDialect) {
    self.entities = entities
    self.schema = schema
    self.dialect = dialect
  }

  /// True when no other table, foreign key or file depends on the rows.
  package var isOfRowsAlone: Bool { joinColumns.isEmpty && foreignKeys.isEmpty && externalColumns.isEmpty }

  /// The statement that deletes the results of a fetch.
  ///
  /// - Parameter returnsKeys: true when it answers the keys and the entities of the rows.
  package func statement(_ fetch: SQLFetch, returnsKeys: Bool) throws -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    writer.write("DELETE FROM \(dialect.identifier(fetch.scope.entity.table.name)) AS \(fetch.scope.alias)")
    try fetch.writeConditionOnTable(to: &writer)
    if returnsKeys { writer.writeReturning(fetch.scope.entity.table) }
    return try writer.checkedStatement()
  }

  /// The statements that delete rows by their keys, in their order. They are meant for one transaction.
  package func statements(for keys: SQLList) -> [SQLStatement] {
    guard let table = entities.first?.table else { return [] }
    let joins = sorted(joinColumns).map {
      statement("DELETE FROM", table: $0.alias, change: nil, column: $0.name, keys: keys)
    }
    let removals = sorted(foreignKeys.keys).map { column in
      let names = [column.name] + (foreignKeys[column] ?? [])
      let assignments = names.map { "\(dialect.identifier($0)) = NULL" }.joined(separator: ", ")
      return statement(
        "UPDATE",
        table: column.alias,
        change: "SET \(assignments)",
        column: column.name,
        keys: keys
      )
    }
    return joins + removals + [
      statement("DELETE FROM", table: table.name, change: nil, column: table.primaryKey, keys: keys)
    ]
  }

  /// The query of the columns that may refer to files; `nil` when there are none.
  func externalData(of keys: SQLList) -> SQLStatement? {
    guard let table = entities.first?.table, !externalColumns.isEmpty else { return nil }
    let names = externalColumns.sorted().map(dialect.identifier).joined(separator: ", ")
    return statement(
      "SELECT \(names) FROM",
      table: table.name,
      change: nil,
      column: table.primaryKey,
      keys: keys
    )
  }

  private var externalColumns: Set<String> {
    if dialect.externalDataMark == nil { return [] }
    return Set(
      entities.flatMap { entity in
        entity.layout.slots.indices.compactMap { slot in
          SQLRowPlan.content(entity.layout.slots[slot]) == .externalData ? entity.slots[slot]?.column : nil
        }
      }
    )
  }

  /// The queries for remaining rows with a required relationship to a deleted one, with that relationship.
  package func stranded(by keys: SQLList) -> [(NSRelationshipDescription, SQLStatement)] {
    let root = entities.first?.layout.rootNumber
    return schema.entities.flatMap { entity in
      entity.slots.indices.compactMap { number in
        guard let slot = entity.slots[number], let relationship = entity.layout.slots[number].relationship,
          !relationship.isOptional, relationship.frozenDestination?.layout.rootNumber == root
        else { return nil }
        return (relationship, rows(of: entity, leadingBy: slot.column, to: keys))
      }
    }
  }

  private func rows(of entity: SQLEntity, leadingBy column: String, to keys: SQLList) -> SQLStatement {
    let table = entity.table
    let key = dialect.identifier(table.primaryKey)
    var writer = SQLWriter(dialect: dialect)
    writer.write("SELECT \(key) FROM \(dialect.identifier(table.name)) ")
    writer.write("WHERE \(dialect.identifier(table.entityColumn)) = \(entity.number) AND \(dialect.identifier(column))")
    writer.writeMembership(of: keys)
    if table === entities.first?.table {
      writer.write(" AND NOT \(key)")
      writer.writeMembership(of: keys)
    }
    writer.write(" LIMIT 1")
    return writer.statement
  }

  /// A join table has the deleted objects in the columns that hold keys of their root.
  private var joinColumns: Set<SQLColumnReference> {
    var columns: Set<SQLColumnReference> = []
    for entity in schema.entities {
      for case .join(let join) in entity.toMany {
        if entity.table === entities.first?.table {
          columns.insert(SQLColumnReference(alias: join.table.name, name: join.source))
        }
        if join.destinationTable === entities.first?.table {
          columns.insert(SQLColumnReference(alias: join.table.name, name: join.target))
        }
      }
    }
    return columns
  }

  /// All foreign keys that can lead to the deleted objects, with the columns that are emptied with each.
  private var foreignKeys: [SQLColumnReference: [String]] {
    var columns: [SQLColumnReference: [String]] = [:]
    let root = entities.first?.layout.rootNumber
    for entity in schema.entities {
      for case let slot? in entity.slots where slot.destination > 0 {
        guard schema.entity(modelNumber: slot.destination)?.layout.rootNumber == root else { continue }
        let order = schema.names.orderColumn(of: slot.column)
        let hasOrder = entity.table.columns.contains { $0.name == order }
        columns[SQLColumnReference(alias: entity.table.name, name: slot.column)] =
          [slot.entityColumn, hasOrder ? order : nil].compactMap(\.self)
      }
      for case .foreignKey(let key) in entity.toMany where key.isOwned && entity.layout.rootNumber == root {
        columns[SQLColumnReference(alias: key.table.name, name: key.column)] = [key.orderColumn].compactMap(\.self)
      }
    }
    return columns
  }

  private func sorted(_ columns: some Sequence<SQLColumnReference>) -> [SQLColumnReference] {
    columns.sorted { ($0.alias, $0.name) < ($1.alias, $1.name) }
  }

  private func statement(
    _ verb: String,
    table: String,
    change: String?,
    column: String,
    keys: SQLList
  ) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect)
    writer.write(
      "\(verb) \(dialect.identifier(table))\(change.map { " \($0)" } ?? "") WHERE \(dialect.identifier(column))"
    )
    writer.writeMembership(of: keys)
    return writer.statement
  }
}
