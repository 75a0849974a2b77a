#if PostgreSQL
  import CoreData
  import Foundation
  import ModelFormats
  import PostgreSQLDriver

  /// A lightweight migration of a store in PostgreSQL: statements in one transaction, so that other connections see
  /// the store before or after the migration.
  ///
  /// Entities keep their numbers, and new ones get numbers that were never used. Programs that still read with the
  /// older model therefore never attribute rows to the wrong entity.
  struct PostgreSQLMigration {
    /// The greatest number of rows of a table whose indexes are built in the transaction of the migration.
    static let mostRowsInTransaction = 100_000

    private let migration: LightweightMigration
    private let store: URL
    private let mostRowsInTransaction: Int
    /// The entities that the store is to have.
    private var entities: [NSEntityDescription] { migration.destination.entities }

    init(_ migration: LightweightMigration, store: URL, mostRowsInTransaction: Int = Self.mostRowsInTransaction) {
      self.migration = migration
      self.store = store
      self.mostRowsInTransaction = mostRowsInTransaction
    }

    /// Migrates the store. If another process has done so already, so that the store has the destination's entities,
    /// nothing changes.
    ///
    /// - Throws: `NSMigrationError` when a row lacks a value that the destination requires,
    ///   `NSMigrationConstraintViolationError` when rows break a uniqueness constraint,
    ///   `NSPersistentStoreTimeoutError` when it waited too long for other transactions, or an error of the server.
    func run(_ connections: PostgreSQLConnections) throws {
      try run(connections) { try connections.write($0) }
    }

    /// Runs statements in a transaction that writes, and again where its connection is lost, also in its commit.
    typealias Transaction = ((PostgreSQLConnection) throws -> Void) throws -> Void

    func run(_ connections: PostgreSQLConnections, transaction: Transaction) throws {
      var large: [PostgreSQLIndexBuilding.Later] = []
      do {
        try PostgreSQLMigrationLock.retrying {
          try transaction { connection in
            let lock = PostgreSQLMigrationLock(connections)
            try lock.take(connection)
            let later = try migrate(
              connection,
              lock: lock,
              building: building(connections),
              folds: connections.capabilities[.folding]
            )
            // An attempt before this one may have migrated the store: its indexes are still to be built.
            if let later { large = later }
          }
        }
      } catch {
        throw PostgreSQLMigrationLock.failure(error, store: store, waited: connections.timeout)
      }
      building(connections).buildLarge(large, connections: connections)
    }

    /// Called when there is a connection, which has detected a pooler if there is one.
    private func building(_ connections: PostgreSQLConnections) -> PostgreSQLIndexBuilding {
      PostgreSQLIndexBuilding(
        store: store,
        schema: connections.address.schema,
        // Statements outside of a transaction take sessions that connections keep.
        mostRows: connections.capabilities[.sessions] ? mostRowsInTransaction : .max
      )
    }

    /// - Parameter folds: false where memory computes the values that are derived from texts.
    /// - Returns: the indexes of large tables, which must still be built; `nil` if the store is migrated already.
    private func migrate(
      _ connection: PostgreSQLConnection,
      lock: PostgreSQLMigrationLock,
      building: PostgreSQLIndexBuilding,
      folds: Bool
    ) throws -> [PostgreSQLIndexBuilding.Later]? {
      let schema = building.schema
      let log = MigrationLog(store)
      let content = try PostgreSQLContent(connection, schema: schema, store: store)
      guard var metadata = content.metadata else { throw noStore(schema) }
      if StoreMetadata.differences(metadata.properties, model: migration.destination, entities: entities)
        .isEmpty
      {
        log.report("another process has migrated the store, or an attempt whose connection was lost has")
        return nil
      }
      let former = try migration.sourceEntities(of: metadata, store: store)
      let map = try map(former, catalog: content.catalog)
      try PostgreSQLLimits.check(map.new, store: store)
      try PostgreSQLCatalogNames.check(existing: map.old, named: schema, store: store, connection: connection)
      try PostgreSQLCatalogNames(connection).check(map.new, store: store)
      try SQLFoldedIndex.check(entities, store: store)
      let functions = PostgreSQLFunctionRenewal(schema: schema)
      let plan = try SQLMigrationPlanner.plan(
        map,
        database: SQLMigrationSource(connection: connection, schema: schema, map: map),
        catalog: content.catalog,
        dialect: PostgreSQLDialect(
          folds: folds && functions.need(connection) == .nothing,
          hasFunctions: PostgreSQLFunctions.exist(in: schema, connection: connection),
          schema: schema
        )
      )
      let keys = PostgreSQLKeyIndexes(connection, schema: schema, old: map.old, new: map.new)
      let altered = try tables(of: map.old, alteredBy: plan) + keys.tablesToAlter()
      try lock.takeTables(
        altered,
        commented: commentedTables(of: map.new, catalog: content.catalog),
        connection: connection
      )
      try keys.makeRoom()
      let longValues = PostgreSQLLongValues(
        schema: map.new,
        named: schema,
        store: store,
        connection: connection
      )
      try run(plan, connection: connection, longValues: longValues, log: log)
      let large = try building.buildSmall(
        plan.indexes,
        connection: connection,
        longValues: longValues,
        log: log
      )
      try keys.rename()
      try PostgreSQLHistoryMigration(map: map).run(connection)
      metadata.setModel(migration.destination)
      try metadata.replace(connection, store: store)
      try PostgreSQLModelCache.write(migration.destination, table: connection)
      try connection.runScript(PostgreSQLComments(map.new).statements.joined(separator: "; "))
      return large
    }

    /// The tables that a plan blocks for readers: those that it alters, renames and drops, and those whose indexes it
    /// drops.
    private func tables(of old: SQLSchema, alteredBy plan: SQLMigrationPlan) -> [String] {
      let dialect = PostgreSQLDialect()
      let statements = plan.steps.compactMap { step in
        if case .run(let statement) = step { statement.sql } else { nil }
      }
      let indexes = old.indexes.map { ($0.table, $0.name) } + old.joinTables.map { ($0.name, $0.index) }
      let dropped = indexes.filter { statements.contains("DROP INDEX \(dialect.identifier($0.1))") }.map(\.0)
      let all = old.tables.map(\.name) + old.joinTables.map(\.name)
      let altered = all.filter { table in
        let start = "ALTER TABLE \(dialect.identifier(table)) "
        return statements.contains { $0.hasPrefix(start) }
      }
      return Array(Set(dropped + altered))
    }

    /// The existing tables whose comments are renewed.
    private func commentedTables(of new: SQLSchema, catalog: SQLCatalog) -> [String] {
      let names = Set(new.tables.map(\.name) + new.joinTables.map(\.name))
      return catalog.tables.values.map(\.name).filter { name in
        names.contains(name) || name.hasPrefix(PostgreSQLNames.systemPrefix)
      }
    }

    private func map(_ former: [NSEntityDescription], catalog: SQLCatalog) throws -> SQLMigrationMap {
      let names = PostgreSQLNames()
      var numbers: [String: Int64] = [:]
      for entity in entities {
        guard let name = entity.name, let source = migration.correspondence.entities[name] else { continue }
        numbers[name] = catalog.entityNumbers[source]
      }
      return SQLMigrationMap(
        old: try SQLSchemaBuilder.build(
          model: migration.source,
          entities: former,
          catalog: catalog,
          names: names
        ),
        new: try SQLSchemaBuilder.build(
          model: migration.destination,
          entities: entities,
          catalog: nil,
          names: names,
          numbering: SQLEntityNumbering(known: numbers, next: (catalog.entityNumbers.values.max() ?? 0) + 1)
        ),
        correspondence: migration.correspondence
      )
    }

    /// - Parameter longValues: that of the new schema.
    private func run(
      _ plan: SQLMigrationPlan,
      connection: PostgreSQLConnection,
      longValues: PostgreSQLLongValues,
      log: MigrationLog
    ) throws {
      for (index, step) in plan.steps.enumerated() {
        let place = "step \(index + 1) of \(plan.steps.count)"
        switch step {
        case .run(let statement):
          log.report("\(place): \(statement.sql)")
          try longValues.creating(statement.sql) { try connection.run(statement, isCached: false) }
        case .require(let query, let requirement):
          log.report("\(place): every \(requirement.entity) has to have \(requirement.property): \(query.sql)")
          let result = try connection.run(query, isCached: false)
          if result.rowCount > 0, let key = result.integer(0, column: 0) {
            throw requirement.failure(key: key, store: store)
          }
        }
      }
      for text in plan.texts {
        log.report("\(text.table.name).\(text.target) is computed from \(text.source) in memory")
        try text.updateAll(connection)
      }
    }

    private func noStore(_ schema: String) -> any Error {
      StoreFailure.error(
        CocoaError.fileReadNoSuchFile.rawValue,
        message:
          "\(store.absoluteString): there is no store in the schema \(schema) any more; another program has removed it.",
        file: store
      )
    }
  }
#endif
