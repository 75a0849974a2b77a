/// The pairs of keys that a relationship of the older schema has, as queries with the columns `s` (the source), `t`
/// (the destination), `o` (the destination's place in an ordered relationship) and `i` (the source's in the inverse).
struct SQLRelationshipPairs {
  let map: SQLMigrationMap
  let dialect: any SQLMigrationDialect
  /// The name of an older table during the migration.
  let tableName: (String) -> String

  /// The query for the pairs of a relationship of the new schema: its old pairs, or the inverse's
  /// old pairs in reverse; `nil` when neither relationship existed.
  func query(of relationship: NSRelationshipDescription) -> String? {
    let former = map.formerRelationships(of: relationship).compactMap { self.query(ofFormer: $0) }
    if !former.isEmpty { return former.joined(separator: " UNION ALL ") }
    guard let inverse = relationship.frozenInverse else { return nil }
    let turned = map.formerRelationships(of: inverse).compactMap { self.query(ofFormer: $0) }
    if turned.isEmpty { return nil }
    return "SELECT t AS s, s AS t, i AS o, o AS i FROM (\(turned.joined(separator: " UNION ALL "))) AS turned"
  }

  private func query(ofFormer relationship: NSRelationshipDescription) -> String? {
    guard let entity = try? map.old.entity(relationship.entity),
      let place = entity.layout.places[relationship.name]
    else { return nil }
    switch place {
    case .slot(let index):
      guard let slot = entity.slots[index] else { return nil }
      let order = inverseOrder(relationship, entity: entity)
      return query(
        entity.table.name,
        source: map.primaryKey,
        target: slot.column,
        order: nil,
        inverseOrder: order
      )
    case .toMany(let index):
      switch entity.toMany[index] {
      case .transient: return nil
      case .foreignKey(let key):
        return query(
          key.table.name,
          source: key.column,
          target: map.primaryKey,
          order: key.orderColumn,
          inverseOrder: nil
        )
      case .join(let join):
        let ends = [join.table.first, join.table.second]
        return query(
          join.table.name,
          source: join.source,
          target: join.target,
          order: join.orderColumn,
          inverseOrder: ends.first { $0.name == join.source }?.order
        )
      }
    }
  }

  private func query(
    _ table: String,
    source: String,
    target: String,
    order: String?,
    inverseOrder: String?
  ) -> String {
    let columns = [source, target].map(dialect.identifier)
    let orders = [order, inverseOrder].map { $0.map(dialect.identifier) ?? dialect.nullNumber }
    return """
      SELECT \(columns[0]) AS s, \(columns[1]) AS t, \(orders[0]) AS o, \(orders[1]) AS i \
      FROM \(dialect.identifier(tableName(table))) WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
      """
  }

  /// The order column of a to-one relationship: it keeps the row's place in the ordered inverse.
  private func inverseOrder(_ relationship: NSRelationshipDescription, entity: SQLEntity) -> String? {
    guard let inverse = relationship.frozenInverse,
      let destination = try? map.old.entity(inverse.entity),
      case .toMany(let index) = destination.layout.places[inverse.name],
      case .foreignKey(let key) = destination.toMany[index], key.table === entity.table
    else { return nil }
    return key.orderColumn
  }
}
