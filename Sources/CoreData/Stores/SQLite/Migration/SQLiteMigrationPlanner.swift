/// Plans how a database gets from one schema to another, with what is there kept in place as far as it can be.
struct SQLiteMigrationPlanner {
  let map: SQLiteMigrationMap
  let database: SQLiteMigrationSource
  let catalog: SQLCatalog
  /// Whether what nothing uses any more is left for later.
  let defersCleanup: Bool
  let dialect = SQLiteDialect()
  let tables: [SQLiteTableMigration]
  let joins: [SQLiteJoinMigration]
  /// The older tables that get another name while the migration runs, in upper case.
  let replaced: Set<String>
  var plan = SQLiteMigrationPlan()

  init(
    _ map: SQLiteMigrationMap,
    database: SQLiteMigrationSource,
    catalog: SQLCatalog,
    defersCleanup: Bool
  ) throws {
    self.map = map
    self.database = database
    self.catalog = catalog
    self.defersCleanup = defersCleanup
    tables = try SQLiteTableMigration.all(map, database, catalog, keepsColumns: defersCleanup)
    joins = SQLiteJoinMigration.all(map)
    let kept = tables.compactMap { table -> String? in
      if case .extend = table.way { table.table.name.uppercased() } else { nil }
    }
    let keptJoins = joins.filter(\.isKept).map { $0.table.name.uppercased() }
    let all = (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).map { $0.uppercased() }
    replaced = Set(all).subtracting(kept + keptJoins)
  }

  static func plan(
    _ map: SQLiteMigrationMap,
    database: SQLiteMigrationSource,
    catalog: SQLCatalog,
    defersCleanup: Bool = false
  ) throws -> SQLiteMigrationPlan {
    var planner = try SQLiteMigrationPlanner(
      map,
      database: database,
      catalog: catalog,
      defersCleanup: defersCleanup
    )
    planner.findLostFiles()
    planner.dropTriggersAndIndexes()
    planner.setReplacedTablesAside()
    planner.makeTables()
    planner.moveRows()
    planner.fillJoinTables()
    planner.fillKeys()
    planner.clearLostReferences()
    planner.fillDerivedAttributes()
    planner.addRequirements()
    planner.dropReplacedTables()
    try planner.makeIndexesAndTriggers()
    planner.numberEntities()
    return planner.plan
  }

  /// What an older table is called after it was set aside.
  func currentName(_ table: String) -> String {
    isReplaced(table) ? Self.asideName(table) : table
  }

  static let asidePrefix = "Z_OLD_"

  private static func asideName(_ table: String) -> String { asidePrefix + table }

  func name(_ name: String) -> String { dialect.identifier(name) }

  var pairs: SQLiteRelationshipPairs {
    let planner = self
    return SQLiteRelationshipPairs(map: map) { planner.currentName($0) }
  }

  // MARK: - Tables

  private mutating func setReplacedTablesAside() {
    for table in formerTables where isReplaced(table) {
      plan.run("ALTER TABLE \(name(table)) RENAME TO \(name(Self.asideName(table)))")
    }
  }

  private var formerTables: [String] { map.old.tables.map(\.name) + map.old.joinTables.map(\.name) }

  private func isReplaced(_ table: String) -> Bool { replaced.contains(table.uppercased()) }

  private mutating func makeTables() {
    for table in tables {
      switch table.way {
      case .make, .rebuild: plan.run(SQLSchema.creation(of: table.table, dialect))
      case .extend(let columns):
        for column in columns {
          let type = dialect.columnType(column.storage, of: column.attributeType)
          plan.run("ALTER TABLE \(name(table.table.name)) ADD COLUMN \(name(column.name)) \(type)")
        }
      }
    }
    for join in joins where !join.isKept { plan.run(SQLSchema.creation(of: join.table, dialect)) }
  }

  private mutating func dropReplacedTables() {
    for table in formerTables where isReplaced(table) {
      if defersCleanup {
        plan.isDeferred = true
      } else {
        plan.run("DROP TABLE \(name(Self.asideName(table)))")
      }
    }
    guard defersCleanup, !plan.isDeferred else { return }
    plan.isDeferred = tables.contains { table in
      let wanted = Set(table.table.columns.map { $0.name.uppercased() } + ["Z_PK", "Z_ENT", "Z_OPT"])
      guard case .extend = table.way, let there = catalog.table(table.table.name) else { return false }
      return there.columns.contains { !wanted.contains($0.uppercased()) }
    }
  }

  // MARK: - Entities

  private mutating func numberEntities() {
    plan.run("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(SQLiteHistoryTables.changeNumber)")
    for entity in map.new.entities {
      let isRoot = entity.entity === entity.table.root
      let last = isRoot ? lastKey(in: entity.table) : nil
      plan.steps.append(.run(SQLiteSystemTables.primaryKeyRow(entity, in: map.new, lastKey: last ?? 0)))
    }
  }

  /// The last key of any of the roots whose rows a table takes over.
  private func lastKey(in table: SQLTable) -> Int64? {
    let moves = tables.first { $0.table === table }?.moves ?? []
    let roots = moves.compactMap { move in
      map.old.entity(modelNumber: Int32(move.source.entity.root.number))?.number
    }
    return roots.compactMap { database.lastKeys[$0] }.max()
  }
}
