/// Plans the way of a database from one schema to another. It changes tables in place as far as possible.
package struct SQLMigrationPlanner {
  let map: SQLMigrationMap
  let database: SQLMigrationSource
  let catalog: SQLCatalog
  /// True when the removal of unused tables and columns is postponed.
  let defersCleanup: Bool
  let dialect: any SQLMigrationDialect
  let tables: [SQLTableMigration]
  let joins: [SQLJoinMigration]
  /// The older tables that get another name while the migration runs, in upper case.
  let replaced: Set<String>
  /// The names of tables that are kept under another name, by the older one in upper case.
  let renamed: [String: String]
  var plan = SQLMigrationPlan()

  init(
    _ map: SQLMigrationMap,
    database: SQLMigrationSource,
    catalog: SQLCatalog,
    dialect: any SQLMigrationDialect,
    defersCleanup: Bool
  ) throws {
    self.map = map
    self.database = database
    self.catalog = catalog
    self.dialect = dialect
    self.defersCleanup = defersCleanup
    tables = try SQLTableMigration.all(
      map,
      database: database,
      catalog: catalog,
      dialect: dialect,
      retainsColumns: defersCleanup
    )
    joins = SQLJoinMigration.all(map)
    let extended = tables.compactMap { $0.keptTable?.uppercased() }
    renamed = Dictionary(
      tables.compactMap { table in table.keptTable.map { ($0.uppercased(), table.table.name) } },
      uniquingKeysWith: { first, _ in first }
    )
    let unchangedJoins = joins.filter(\.isUnchanged).map { $0.table.name.uppercased() }
    let all = (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).map { $0.uppercased() }
    replaced = Set(all).subtracting(extended + unchangedJoins)
  }

  package static func plan(
    _ map: SQLMigrationMap,
    database: SQLMigrationSource,
    catalog: SQLCatalog,
    dialect: any SQLMigrationDialect,
    defersCleanup: Bool = false
  ) throws -> SQLMigrationPlan {
    var planner = try SQLMigrationPlanner(
      map,
      database: database,
      catalog: catalog,
      dialect: dialect,
      defersCleanup: defersCleanup
    )
    planner.findLostFiles()
    planner.dropTriggersAndIndexes()
    planner.setReplacedTablesAside()
    planner.createTables()
    planner.moveRows()
    planner.fillJoinTables()
    planner.fillKeys()
    planner.clearLostReferences()
    planner.fillDerivedAttributes()
    planner.addRequirements()
    planner.dropReplacedTables()
    try planner.createIndexesAndTriggers()
    planner.numberEntities()
    return planner.plan
  }

  /// The name that an older table has once the tables that are replaced were set aside.
  func currentName(_ table: String) -> String {
    isReplaced(table) ? asideName(table) : renamed[table.uppercased()] ?? table
  }

  private func asideName(_ table: String) -> String { dialect.asideName(of: table) }

  func name(_ name: String) -> String { dialect.identifier(name) }

  var pairs: SQLRelationshipPairs {
    let planner = self
    return SQLRelationshipPairs(map: map, dialect: dialect) { planner.currentName($0) }
  }

  // MARK: - Tables

  private mutating func setReplacedTablesAside() {
    for table in formerTables where isReplaced(table) {
      plan.run("ALTER TABLE \(name(table)) RENAME TO \(name(asideName(table)))")
    }
  }

  private var formerTables: [String] { map.old.tables.map(\.name) + map.old.joinTables.map(\.name) }

  private func isReplaced(_ table: String) -> Bool { replaced.contains(table.uppercased()) }

  private mutating func createTables() {
    // Tables that are renamed come first: a new one, or the index of its key, may get the former name.
    for table in tables {
      if let alteration = table.renaming { begin(alteration, of: table.table) }
    }
    for table in tables where table.renaming == nil {
      switch table.way {
      case .create, .rebuild: plan.run(SQLSchema.creation(of: table.table, dialect: dialect))
      case .extend(let columns): add(columns, to: table.table)
      case .alter(let alteration): begin(alteration, of: table.table)
      }
    }
    for join in joins where !join.isUnchanged { plan.run(SQLSchema.creation(of: join.table, dialect: dialect)) }
  }

  mutating func add(_ columns: [SQLColumn], to table: SQLTable) {
    for column in columns {
      let type = dialect.columnType(column.storage, of: column.attributeType)
      plan.run("ALTER TABLE \(name(table.name)) ADD COLUMN \(name(column.name)) \(type)")
    }
  }

  private mutating func dropReplacedTables() {
    for table in tables {
      if case .alter(let alteration) = table.way { finish(alteration, of: table.table) }
    }
    for table in formerTables where isReplaced(table) {
      if defersCleanup {
        plan.isDeferred = true
      } else {
        plan.run("DROP TABLE \(name(asideName(table)))")
      }
    }
    guard defersCleanup, !plan.isDeferred else { return }
    plan.isDeferred = tables.contains { table in
      guard case .extend = table.way else { return false }
      return !catalog.unusedColumns(of: table.table, rowColumns: map.rowColumns).isEmpty
    }
  }

  // MARK: - Entities

  private mutating func numberEntities() {
    let lastKeys = Dictionary(
      map.new.entities.filter { $0.entity === $0.table.root }.map { ($0.number, lastKey(in: $0.table) ?? 0) }
    ) { first, _ in first }
    plan.steps += dialect.entityNumbering(of: map.new, lastKeys: lastKeys).map { .run($0) }
  }

  /// The last key of any of the roots whose rows a table takes over.
  private func lastKey(in table: SQLTable) -> Int64? {
    let moves = tables.first { $0.table === table }?.moves ?? []
    let roots = moves.compactMap { move in map.old.entity(modelNumber: Int32(move.source.entity.root.number))?.number }
    return roots.compactMap { database.lastKeys[$0] }.max()
  }
}

extension SQLMigrationPlanner {
  /// Drops unwanted indexes, the indexes of dropped tables, and all triggers of derived attributes,
  /// which would fire for every row.
  mutating func dropTriggersAndIndexes() {
    for trigger in database.derivationTriggers { plan.run(dialect.triggerRemoval(trigger)) }
    for index in database.indexes where isOurs(index.table) && !isUnchanged(index) {
      plan.run("DROP INDEX \(name(index.name))")
    }
  }

  /// Creates the indexes that are not there yet, and the triggers.
  mutating func createIndexesAndTriggers() throws {
    let unchanged = Set(
      database.indexes.filter { isOurs($0.table) && isUnchanged($0) }.map { $0.name.uppercased() }
    )
    for index in wantedIndexes where !unchanged.contains(index.name.uppercased()) {
      if let apart = index.apart, dialect.buildsIndexesApart {
        plan.indexes.append(apart)
      } else {
        plan.run(index.sql)
      }
    }
    for trigger in try dialect.triggers(of: map.new) { plan.run(trigger) }
  }

  private func isOurs(_ table: String) -> Bool {
    (map.old.tables.map(\.name) + map.old.joinTables.map(\.name)).contains {
      $0.uppercased() == table.uppercased()
    }
  }

  private func isUnchanged(_ index: SQLMigrationSource.Part) -> Bool {
    !replaced.contains(index.table.uppercased())
      && wantedIndexes.contains { $0.name == index.name && $0.sql == index.sql }
  }

  /// An index with its statement, and how it is built apart from the steps; unique ones are not.
  private typealias WantedIndex = (name: String, sql: String, apart: SQLMigrationPlan.Index?)

  private var wantedIndexes: [WantedIndex] {
    let ofEntities = map.new.indexes.filter { dialect.canBuild($0) }.map { index -> WantedIndex in
      let elements = SQLSchema.elements(of: index, dialect: dialect)
      let apart = SQLMigrationPlan.Index(name: index.name, table: index.table, elements: elements)
      return (index.name, SQLSchema.creation(of: index, dialect: dialect), index.isUnique ? nil : apart)
    }
    let ofJoins = map.new.joinTables.map { join -> WantedIndex in
      let elements = SQLSchema.indexElements(of: join, dialect: dialect)
      let apart = SQLMigrationPlan.Index(name: join.index, table: join.name, elements: elements)
      return (join.index, SQLSchema.indexCreation(of: join, dialect: dialect), apart)
    }
    return ofEntities + ofJoins
  }
}
