/// The step that migrates one table to the new schema.
struct SQLTableMigration {
  enum Way {
    /// There are no rows for it yet.
    case create
    /// The older table is kept, and gets more columns at its end.
    case extend([SQLColumn])
    /// The older table is kept, and its columns are altered.
    case alter(SQLTableAlteration)
    /// A new table takes the rows of older ones.
    case rebuild
  }

  let table: SQLTable
  let moves: [SQLRowMove]
  let way: Way

  /// The name of the older table, if it is kept.
  var keptTable: String? {
    switch way {
    case .create, .rebuild: nil
    case .extend: table.name
    case .alter(let alteration): alteration.formerName
    }
  }

  /// The alteration that renames the older table; `nil` where it keeps its name, or is not kept.
  var renaming: SQLTableAlteration? {
    guard case .alter(let alteration) = way, alteration.formerName != table.name else { return nil }
    return alteration
  }

  /// True when rows have no value yet in a column of the new table.
  func isNew(_ column: String) -> Bool {
    switch way {
    case .create: false
    case .rebuild: true
    case .extend(let columns): columns.contains { $0.name == column }
    case .alter(let alteration): alteration.added.contains { $0.name == column }
    }
  }

  /// Plans each table of a schema.
  ///
  /// - Parameter retainsColumns: true when a table may keep unused columns.
  static func all(
    _ map: SQLMigrationMap,
    database: SQLMigrationSource,
    catalog: SQLCatalog,
    dialect: any SQLMigrationDialect,
    retainsColumns: Bool
  ) throws -> [SQLTableMigration] {
    let origins = SQLColumnOrigins(map: map, dialect: dialect)
    let formerTables = Set(
      (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).map { $0.uppercased() }
    )
    var users: [ObjectIdentifier: Int] = [:]
    var planned: [(table: SQLTable, moves: [SQLRowMove])] = []
    for table in map.new.tables {
      let moves = try map.new.entities.filter { $0.table === table }.compactMap { entity in
        try map.source(of: entity).map { try origins.move(to: entity, from: $0) }
      }
      for source in Set(moves.map { ObjectIdentifier($0.source.table) }) { users[source, default: 0] += 1 }
      planned.append((table, moves))
    }
    return planned.map { table, moves in
      let choice = Choice(
        table: table,
        moves: moves,
        database: database,
        catalog: catalog,
        rowColumns: map.rowColumns
      )
      let isShared = moves.contains { users[ObjectIdentifier($0.source.table), default: 0] > 1 }
      let alteration =
        dialect.altersColumns && !isShared
        ? SQLTableAlteration(
          of: table,
          moves: moves,
          database: database,
          catalog: catalog,
          rowColumns: map.rowColumns,
          formerTables: formerTables,
          aside: dialect.asidePrefix
        ) : nil
      let way = alteration.map(Way.alter) ?? choice.way(isShared: isShared, retainsColumns: retainsColumns)
      return SQLTableMigration(table: table, moves: moves, way: way)
    }
  }

  /// Chooses the cheapest way that leads to the table.
  private struct Choice {
    let table: SQLTable
    let moves: [SQLRowMove]
    let database: SQLMigrationSource
    let catalog: SQLCatalog
    let rowColumns: [String]

    func way(isShared: Bool, retainsColumns: Bool) -> Way {
      guard let former = moves.first?.source.table else { return .create }
      guard !isShared, moves.allSatisfy({ $0.source.table === former }),
        former.name.uppercased() == table.name.uppercased(), let there = catalog.table(former.name),
        !database.constrainedTables.contains(former.name.uppercased())
      else { return .rebuild }
      var added: [SQLColumn] = []
      for column in table.columns {
        if there.column(column.name) == nil {
          added.append(column)
        } else if !isUnchanged(column) {
          return .rebuild
        }
      }
      return catalog.unusedColumns(of: table, rowColumns: rowColumns).isEmpty || retainsColumns
        ? .extend(added) : .rebuild
    }

    /// True when all rows have the column's values already.
    private func isUnchanged(_ column: SQLColumn) -> Bool {
      let users = moves.compactMap { $0.origins[column.name] }
      return !users.isEmpty
        && users.allSatisfy { origin in
          if origin.isUnchanged(in: column.name) { return true }
          // The column with the entity of a key's row is rewritten in any case.
          guard case .others = origin.source else { return false }
          return moves.contains { $0.entity.slots.contains { $0?.entityColumn == column.name } }
        }
    }
  }
}

/// The step that migrates one join table to the new schema.
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
        isUnchanged: isUnchanged(table, relationship: relationship, map: map)
      )
    }
  }

  private static func relationship(of table: SQLJoinTable, in schema: SQLSchema) -> NSRelationshipDescription? {
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
    relationship: NSRelationshipDescription,
    map: SQLMigrationMap
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
