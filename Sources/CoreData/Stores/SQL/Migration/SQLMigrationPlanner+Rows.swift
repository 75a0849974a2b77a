extension SQLMigrationPlanner {
  /// Brings the rows into the new tables, under their keys and versions.
  mutating func moveRows() {
    for table in tables {
      switch table.way {
      case .create: continue
      case .rebuild: for move in table.moves { copy(move, to: table.table) }
      case .extend, .alter: adapt(table)
      }
    }
  }

  private mutating func copy(_ move: SQLRowMove, to table: SQLTable) {
    var columns = map.rowColumns
    var values = [map.primaryKey, String(move.entity.number), map.versionColumn]
    var bindings: [SQLValue] = []
    for column in table.columns {
      guard let origin = move.origins[column.name], let value = value(origin, of: column, bindings: &bindings)
      else { continue }
      columns.append(name(column.name))
      values.append(value)
    }
    plan.run(
      """
      INSERT INTO \(name(table.name)) (\(columns.joined(separator: ", "))) \
      SELECT \(values.joined(separator: ", ")) FROM \(name(currentName(move.source.table.name))) \
      WHERE \(map.entityColumn) = \(move.source.number)
      """,
      bindings: bindings
    )
  }

  /// The SQL of the value that is copied into a column; `nil` when the column stays empty.
  private func value(_ origin: SQLColumnOrigin, of target: SQLColumn, bindings: inout [SQLValue]) -> String? {
    let source: String
    switch origin.source {
    case .others: return nil
    case .nothing:
      guard let fallback = origin.fallback else { return nil }
      bindings.append(fallback)
      return dialect.placeholder(bindings.count, of: fallback, in: target)
    case .column(let column): source = name(column)
    case .expression(let text, _): source = text
    }
    guard let fallback = origin.fallback else { return source }
    bindings.append(fallback)
    return "COALESCE(\(source), \(dialect.placeholder(bindings.count, of: fallback, in: target)))"
  }

  /// Brings a table up to date that is kept: its entities' numbers, and the values that rows get.
  private mutating func adapt(_ table: SQLTableMigration) {
    let name = name(table.table.name)
    let removed = map.removed.filter { entity in table.moves.contains { $0.source.table === entity.table } }
    if !removed.isEmpty {
      let numbers = removed.map { String($0.number) }.joined(separator: ", ")
      plan.run("DELETE FROM \(name) WHERE \(map.entityColumn) IN (\(numbers))")
    }
    let numbers = table.moves.map { (old: $0.source.number, new: $0.entity.number) }
    if numbers.contains(where: { $0.old != $0.new }) {
      plan.run("UPDATE \(name) SET \(map.entityColumn) = \(map.renumbering(numbers, of: map.entityColumn))")
    }
    for move in table.moves {
      for column in table.table.columns {
        guard let origin = move.origins[column.name], let fallback = origin.fallback else { continue }
        let identifier = dialect.identifier(column.name)
        let value = dialect.placeholder(1, of: fallback, in: column)
        plan.run(
          """
          UPDATE \(name) SET \(identifier) = \(value) \
          WHERE \(identifier) IS NULL AND \(map.entityColumn) = \(move.entity.number)
          """,
          bindings: [fallback]
        )
      }
    }
  }

  /// Collects the names of files in columns that are removed.
  mutating func findLostFiles() {
    var carried: Set<String> = []
    for move in tables.flatMap(\.moves) {
      for origin in move.origins.values {
        guard case .column(let column) = origin.source else { continue }
        carried.insert("\(move.source.number) \(column.uppercased())")
      }
    }
    for entity in map.old.entities {
      for (index, slot) in entity.slots.enumerated() {
        guard let slot, entity.layout.slots[index].attribute?.allowsExternalBinaryDataStorage == true,
          !carried.contains("\(entity.number) \(slot.column.uppercased())")
        else { continue }
        plan.lostFiles.append(
          SQLStatement(
            sql: """
              SELECT \(name(slot.column)) FROM \(name(entity.table.name)) \
              WHERE \(map.entityColumn) = \(entity.number) AND \(name(slot.column)) IS NOT NULL
              """
          )
        )
      }
    }
  }

  /// Adds the queries for rows that violate requirements of the new model.
  mutating func addRequirements() {
    for table in tables {
      for move in table.moves {
        let entity = move.entity
        for (index, slot) in entity.slots.enumerated() {
          guard let slot, move.origins[slot.column]?.isRequired == true else { continue }
          let property = entity.layout.slots[index]
          let requirement = SQLMigrationRequirement(
            entity: entity.entity.name ?? "",
            property: property.name,
            isRelationship: property.relationship != nil
          )
          let columns = slot.elements.isEmpty ? [slot.column] : slot.elements.map(\.column)
          let isMissing = columns.map { "\(name($0)) IS NULL" }.joined(separator: " AND ")
          let query = """
            SELECT \(map.primaryKey) FROM \(name(table.table.name)) \
            WHERE \(map.entityColumn) = \(entity.number) AND \(isMissing) LIMIT 1
            """
          plan.steps.append(.require(SQLStatement(sql: query), requirement))
        }
      }
    }
  }
}
