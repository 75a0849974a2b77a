/// Deletes rows by their keys, and empties what leads to them.
struct SQLBatchDeletion {
  /// The entities of the rows, which share a table.
  let entities: [SQLEntity]
  let schema: SQLSchema
  let dialect: any SQLDialect
  let keys: SQLList

  /// The statements in their order. They are meant for one transaction.
  var statements: [SQLStatement] {
    guard let table = entities.first?.table else { return [] }
    return joinDeletions + foreignKeyRemovals + [
      statement("DELETE FROM", table.name, nil, SQLNames.primaryKey)
    ]
  }

  /// The query of the columns that may refer to files; `nil` when there are none.
  var externalData: SQLStatement? {
    guard let table = entities.first?.table else { return nil }
    let columns = entities.flatMap { entity in
      entity.layout.slots.indices.compactMap { slot in
        SQLRowPlan.content(entity.layout.slots[slot]) == .externalData ? entity.slots[slot]?.column : nil
      }
    }
    if columns.isEmpty { return nil }
    let names = Set(columns).sorted().map(dialect.identifier).joined(separator: ", ")
    return statement("SELECT \(names) FROM", table.name, nil, SQLNames.primaryKey)
  }

  /// A join table has the deleted objects in the columns that hold keys of their root.
  private var joinDeletions: [SQLStatement] {
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
    return sorted(columns).map { statement("DELETE FROM", $0.alias, nil, $0.name) }
  }

  /// All foreign keys that can lead to the deleted objects.
  private var foreignKeyRemovals: [SQLStatement] {
    var columns: [SQLColumnReference: [String]] = [:]
    let root = entities.first?.layout.rootNumber
    for entity in schema.entities {
      for case let slot? in entity.slots where slot.destination > 0 {
        guard schema.entity(modelNumber: slot.destination)?.layout.rootNumber == root else { continue }
        let order = SQLNames.orderColumn(of: slot.column)
        let hasOrder = entity.table.columns.contains { $0.name == order }
        columns[SQLColumnReference(alias: entity.table.name, name: slot.column)] =
          [slot.entityColumn, hasOrder ? order : nil].compactMap(\.self)
      }
      for case .foreignKey(let key) in entity.toMany where key.isOwned && entity.layout.rootNumber == root {
        columns[SQLColumnReference(alias: key.table.name, name: key.column)] =
          [key.orderColumn].compactMap(\.self)
      }
    }
    return sorted(columns.keys).map { column in
      let names = [column.name] + (columns[column] ?? [])
      let assignments = names.map { "\(dialect.identifier($0)) = NULL" }.joined(separator: ", ")
      return statement("UPDATE", column.alias, "SET \(assignments)", column.name)
    }
  }

  private func sorted(_ columns: some Sequence<SQLColumnReference>) -> [SQLColumnReference] {
    columns.sorted { ($0.alias, $0.name) < ($1.alias, $1.name) }
  }

  private func statement(_ verb: String, _ table: String, _ change: String?, _ column: String) -> SQLStatement
  {
    var writer = SQLWriter(dialect: dialect)
    writer.write("\(verb) ")
    writer.write(name: table)
    if let change { writer.write(" \(change)") }
    writer.write(" WHERE ")
    writer.write(name: column)
    writer.writeMembership(of: keys)
    return writer.statement
  }
}
