/// The step that brings one join table into the new schema.
struct SQLJoinMigration {
  let table: SQLJoinTable
  /// The relationship whose sources are in the first column.
  let relationship: NSRelationshipDescription
  /// True when the database has the same table already.
  let isUnchanged: Bool

  static func all(_ map: SQLMigrationMap) -> [SQLJoinMigration] {
    map.new.joinTables.compactMap { table in
      guard let relationship = relationship(of: table, in: map.new) else { return nil }
      return SQLJoinMigration(
        table: table,
        relationship: relationship,
        isUnchanged: isUnchanged(table, relationship, map)
      )
    }
  }

  private static func relationship(of table: SQLJoinTable, in schema: SQLSchema) -> NSRelationshipDescription?
  {
    for entity in schema.entities {
      for (index, kept) in entity.toMany.enumerated() {
        if case .join(let join) = kept, join.table === table, join.source == table.first.name {
          return entity.layout.toMany[index].relationship
        }
      }
    }
    return nil
  }

  private static func isUnchanged(
    _ table: SQLJoinTable,
    _ relationship: NSRelationshipDescription,
    _ map: SQLMigrationMap
  ) -> Bool {
    let former = map.formerRelationships(of: relationship)
    guard former.count == 1, let entity = try? map.old.entity(former[0].entity),
      case .toMany(let index) = entity.layout.places[former[0].name],
      case .join(let join) = entity.toMany[index], join.source == join.table.first.name
    else { return false }
    let columns = [table.first, table.second].flatMap { [$0.name, $0.order ?? ""] }
    let there = [join.table.first, join.table.second].flatMap { [$0.name, $0.order ?? ""] }
    return columns.map { $0.uppercased() } == there.map { $0.uppercased() }
      && table.name.uppercased() == join.table.name.uppercased()
  }
}
