extension SQLMigrationPlanner {
  /// Brings the pairs of keys of each relationship that is kept otherwise than before to its new place.
  mutating func fillJoinTables() {
    for join in joins where !join.isUnchanged {
      guard let pairs = pairs.query(of: join.relationship) else { continue }
      let table = join.table
      var columns = [table.first.name, table.second.name]
      var values = ["s", "t"]
      for (order, value) in [(table.first.order, "i"), (table.second.order, "o")] {
        guard let order else { continue }
        columns.append(order)
        values.append(value)
      }
      plan.run(
        dialect.insertionOfMissing(
          into: table.name,
          columns: columns,
          rows: "SELECT \(values.joined(separator: ", ")) FROM (\(pairs)) AS pairs"
        )
      )
      if let order = table.first.order {
        fillOrder(order, in: table.name, key: rowIdentifier(of: table), group: table.second.name)
      }
      if let order = table.second.order {
        fillOrder(order, in: table.name, key: rowIdentifier(of: table), group: table.first.name)
      }
    }
  }

  private func rowIdentifier(of table: SQLJoinTable) -> String {
    dialect.rowIdentifier(ofKey: [table.first.name, table.second.name])
  }

  /// Fills in keys that other rows contain, the places in ordered relationships, and the entities of keys' rows.
  mutating func fillKeys() {
    for table in tables {
      var seen: Set<String> = []
      for move in table.moves {
        for (index, slot) in move.entity.slots.enumerated() {
          guard let slot, let relationship = move.entity.layout.slots[index].relationship,
            seen.insert(slot.column).inserted
          else { continue }
          if isOpen(slot.column, table: table), let pairs = pairs.query(of: relationship) {
            fillKey(slot.column, of: table.table, pairs: pairs, row: "s", key: "t")
          }
          fillEntity(slot, relationship: relationship, of: table)
        }
      }
    }
    for (relationship, key) in SQLForeignKeys(map.new).all {
      guard let table = tables.first(where: { $0.table === key.table }) else { continue }
      if key.isOwned, isOpen(key.column, table: table), let pairs = pairs.query(of: relationship) {
        fillKey(key.column, of: key.table, pairs: pairs, row: "t", key: "s")
      }
      if let order = key.orderColumn, isOpen(order, table: table) {
        fillOrder(order, in: key.table.name, key: map.primaryKey, group: key.column)
      }
    }
  }

  private func isOpen(_ column: String, table: SQLTableMigration) -> Bool {
    table.moves.contains { move in
      if case .others? = move.origins[column]?.source { true } else { false }
    }
  }

  private mutating func fillKey(
    _ column: String,
    of table: SQLTable,
    pairs: String,
    row: String,
    key: String
  ) {
    plan.run(
      """
      UPDATE \(name(table.name)) SET \(name(column)) = found.key \
      FROM (SELECT \(row) AS row, MIN(\(key)) AS key FROM (\(pairs)) AS pairs GROUP BY \(row)) AS found \
      WHERE found.row = \(name(table.name)).\(map.primaryKey)
      """
    )
  }

  /// Rows without a place get one in the order of their keys, at the distance that Apple-made stores use.
  private mutating func fillOrder(_ order: String, in table: String, key: String, group: String) {
    plan.run(
      """
      UPDATE \(name(table)) SET \(name(order)) = found.place FROM (SELECT \(key) AS key, \
      1024 * (1 + ROW_NUMBER() OVER (PARTITION BY \(name(group)) ORDER BY \(key))) AS place \
      FROM \(name(table)) WHERE \(name(group)) IS NOT NULL) AS found \
      WHERE found.key = \(name(table)).\(key) AND \(name(order)) IS NULL
      """
    )
  }

  private mutating func fillEntity(
    _ slot: SQLSlot,
    relationship: NSRelationshipDescription,
    of table: SQLTableMigration
  ) {
    guard let column = slot.entityColumn, let destination = relationship.frozenDestination,
      let target = map.new.entities.first(where: { $0.entity === destination })?.table
    else { return }
    guard table.isNew(column) || map.isRenumbered else { return }
    plan.run(
      """
      UPDATE \(name(table.table.name)) SET \(name(column)) = (SELECT target.\(map.entityColumn) FROM \(name(target.name)) AS target \
      WHERE target.\(map.primaryKey) = \(name(table.table.name)).\(name(slot.column))) WHERE \(name(slot.column)) IS NOT NULL
      """
    )
  }

  // MARK: - What leads nowhere

  /// Takes keys away whose rows went away with their entities.
  mutating func clearLostReferences() {
    guard !map.removed.isEmpty else { return }
    for table in tables {
      var seen: Set<String> = []
      for move in table.moves {
        for (index, slot) in move.entity.slots.enumerated() {
          guard let slot, let relationship = move.entity.layout.slots[index].relationship,
            seen.insert(slot.column).inserted, isLosing(relationship)
          else { continue }
          let columns = [slot.column, slot.entityColumn].compactMap(\.self)
          clear(columns, of: table.table, missingIn: relationship.frozenDestination)
        }
      }
    }
    for (relationship, key) in SQLForeignKeys(map.new).all where key.isOwned && isLosing(relationship) {
      let columns = [key.column, key.orderColumn].compactMap(\.self)
      clear(columns, of: key.table, missingIn: relationship.entity)
    }
    for join in joins where isLosing(join.relationship) {
      for (column, entity) in [
        (join.table.first.name, join.relationship.entity),
        (join.table.second.name, join.relationship.frozenDestination ?? join.relationship.entity),
      ] {
        guard let target = map.new.entities.first(where: { $0.entity === entity })?.table else { continue }
        plan.run(
          """
          DELETE FROM \(name(join.table.name)) \
          WHERE \(name(column)) NOT IN (SELECT \(map.primaryKey) FROM \(name(target.name)))
          """
        )
      }
    }
  }

  private func isLosing(_ relationship: NSRelationshipDescription) -> Bool {
    map.losesRows(of: map.formerRelationships(of: relationship))
  }

  private mutating func clear(_ columns: [String], of table: SQLTable, missingIn entity: NSEntityDescription?) {
    guard let target = map.new.entities.first(where: { $0.entity === entity })?.table else { return }
    let assignments = columns.map { "\(name($0)) = NULL" }.joined(separator: ", ")
    let key = name(columns[0])
    plan.run(
      """
      UPDATE \(name(table.name)) SET \(assignments) \
      WHERE \(key) IS NOT NULL AND \(key) NOT IN (SELECT \(map.primaryKey) FROM \(name(target.name)))
      """
    )
  }
}
