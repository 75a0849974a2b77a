#if PostgreSQL
  import Foundation
  import ModelFormats
  import PostgreSQLDriver

  /// A lightweight migration of a store in PostgreSQL: statements in one transaction, so that others see
  /// the store as it was or as it is to be.
  ///
  /// Entities keep their numbers, and new ones get numbers that none has had: programs that still read by
  /// the older model never take rows of one entity for those of another.
  struct PostgreSQLMigration {
    /// The greatest number of rows of a table whose indexes are built in the transaction of the migration.
    static let mostRowsInTransaction = 100_000

    private let migration: LightweightMigration
    private let store: URL
    private let mostRowsInTransaction: Int
    /// The entities that the store is to have.
    private var entities: [NSEntityDescription] { migration.destination.entities }

    init(
      _ migration: LightweightMigration,
      store: URL,
      mostRowsInTransaction: Int = Self.mostRowsInTransaction
    ) {
      self.migration = migration
      self.store = store
      self.mostRowsInTransaction = mostRowsInTransaction
    }

    /// Migrates the store. One that has the destination's entities already, since another process was
    /// quicker, is left as it is.
    ///
    /// - Throws: `NSMigrationError` when a row lacks what the destination requires,
    ///   `NSMigrationConstraintViolationError` when rows break a uniqueness constraint,
    ///   `NSPersistentStoreTimeoutError` when others kept it waiting for too long, or an error of the server.
    func run(_ connections: PostgreSQLConnections) throws {
      let building = PostgreSQLIndexBuilding(
        store: store,
        schema: connections.address.schema,
        // Statements outside of a transaction take sessions whose settings last.
        mostRows: connections.capabilities[.sessions] ? mostRowsInTransaction : .max
      )
      var large: [SQLMigrationPlan.Index] = []
      do {
        try PostgreSQLMigrationLock.retrying {
          large = try connections.write { connection in
            try PostgreSQLMigrationLock(connections).take(connection)
            return try migrate(connection, building, folds: connections.capabilities[.folding])
          }
        }
      } catch {
        throw PostgreSQLMigrationLock.failure(error, store: store, waited: connections.timeout)
      }
      building.buildLarge(large, connections)
    }

    /// - Parameter folds: false where memory computes what is derived from texts.
    /// - Returns: the indexes of large tables, which are still to be built.
    private func migrate(
      _ connection: PostgreSQLConnection,
      _ building: PostgreSQLIndexBuilding,
      folds: Bool
    ) throws -> [SQLMigrationPlan.Index] {
      let schema = building.schema
      let log = MigrationLog(store)
      let content = try PostgreSQLContent(connection, schema: schema, store: store)
      guard var metadata = content.metadata else { throw noStore(schema) }
      if StoreMetadata.differences(metadata.properties, model: migration.destination, entities: entities)
        .isEmpty
      {
        log.report("another process has migrated the store")
        return []
      }
      let former = try migration.sourceEntities(of: metadata, store: store)
      let map = try map(former, content.catalog)
      try PostgreSQLLimits.check(map.new, store: store)
      try SQLFoldedIndex.check(entities, store: store)
      let functions = PostgreSQLFunctionRenewal(schema: schema)
      let plan = try SQLMigrationPlanner.plan(
        map,
        database: SQLMigrationSource(connection, schema: schema, map),
        catalog: content.catalog,
        dialect: PostgreSQLDialect(
          folds: folds && functions.need(connection) == .nothing,
          hasFunctions: PostgreSQLFunctions.exist(in: schema, connection),
          functionSchema: schema
        )
      )
      try run(plan, connection, log)
      let large = try building.buildSmall(plan.indexes, connection, log)
      try renameKeys(connection, schema)
      try PostgreSQLHistoryMigration(map: map).run(connection)
      metadata.setModel(migration.destination)
      try metadata.replace(connection, store: store)
      try PostgreSQLModelCache.write(migration.destination, connection)
      return large
    }

    private func map(_ former: [NSEntityDescription], _ catalog: SQLCatalog) throws -> SQLMigrationMap {
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
          numbering: SQLEntityNumbering(
            known: numbers,
            next: (catalog.entityNumbers.values.max() ?? 0) + 1
          )
        ),
        migration.correspondence
      )
    }

    private func run(_ plan: SQLMigrationPlan, _ connection: PostgreSQLConnection, _ log: MigrationLog) throws
    {
      for (index, step) in plan.steps.enumerated() {
        let place = "step \(index + 1) of \(plan.steps.count)"
        switch step {
        case .run(let statement):
          log.report("\(place): \(statement.sql)")
          try connection.run(statement, isCached: false)
        case .require(let query, let requirement):
          log.report(
            "\(place): every \(requirement.entity) has to have \(requirement.property): \(query.sql)"
          )
          let result = try connection.run(query, isCached: false)
          if result.rowCount > 0, let key = result.integer(0, 0) {
            throw requirement.failure(key: key, store: store)
          }
        }
      }
      for text in plan.texts {
        log.report("\(text.table.name).\(text.target) is computed from \(text.source) in memory")
        try text.updateAll(connection)
      }
    }

    /// Gives the indexes of tables' keys the names that the server gives those of new tables.
    private func renameKeys(_ connection: PostgreSQLConnection, _ schema: String) throws {
      let dialect = PostgreSQLDialect()
      let rows = try connection.run(
        """
        SELECT c.relname::text, k.conname::text FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
        JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1 AND k.contype = 'p' AND k.conname <> c.relname || '_pkey' \
        AND octet_length(c.relname || '_pkey') < 64 \
        AND NOT EXISTS (SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relname = c.relname || '_pkey')
        """,
        [.text(schema)]
      )
      for row in 0..<rows.rowCount {
        guard let table = rows.text(row, 0), let key = rows.text(row, 1) else { continue }
        try connection.run(
          """
          ALTER TABLE \(dialect.identifier(table)) RENAME CONSTRAINT \(dialect.identifier(key)) \
          TO \(dialect.identifier(table + "_pkey"))
          """
        )
      }
    }

    private func noStore(_ schema: String) -> any Error {
      StoreFailure.error(
        CocoaError.fileReadNoSuchFile.rawValue,
        "\(store.absoluteString): there is no store in the schema \(schema) any more; another program has removed it.",
        file: store
      )
    }
  }
#endif
