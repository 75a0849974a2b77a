#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Opens a store: examines its schema, and creates a new store or checks the existing one.
  struct PostgreSQLStoreOpening {
    let url: URL
    let model: NSManagedObjectModel
    private let configuration: String
    let isReadOnly: Bool
    private let ignoresVersions: Bool
    private let tracksHistory: Bool
    private let stateLimits: StateLimits
    private let historyLifetime: PostgreSQLHistoryLifetime?
    private let connections: PostgreSQLConnections
    var schemaName: String { connections.address.schema }
    /// True where the schema of a new store gets functions that fold texts.
    var makesFunctions: Bool { connections.capabilities[.folding] }

    init(
      _ connections: PostgreSQLConnections,
      url: URL,
      model: NSManagedObjectModel,
      configuration: String,
      options: [AnyHashable: Any]?
    ) throws {
      self.connections = connections
      self.url = url
      self.model = model
      guard model.storedEntities(forConfigurationName: configuration) != nil else {
        throw StoreFailure.error(
          NSPersistentStoreOpenError,
          message: "The model has no configuration named \(configuration).",
          file: url
        )
      }
      self.configuration = configuration
      isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
      stateLimits = try StateLimits(
        in: options,
        otherwise: PostgreSQLPinnedSnapshots.standardLimits,
        of: url.absoluteString,
        at: url
      )
      let tracking = options?[NSPersistentHistoryTrackingKey]
      tracksHistory = ((tracking as? Bool) ?? (tracking is NSDictionary)) && !isReadOnly
      let historyLifetime = try PostgreSQLHistoryLifetime(options, url: url)
      self.historyLifetime = tracksHistory ? historyLifetime : nil
      ignoresVersions = (options?[NSIgnorePersistentStoreVersioningOption] as? Bool) ?? false
    }

    /// - Throws: an error when the schema does not contain a store, or one of another model; or an error of the server.
    func open() throws -> (PostgreSQLStore.Engine, StoreMetadata) {
      let opened = try findOrCreate()
      // A role without the permission leaves the removal to others.
      if !isReadOnly { _ = try? connections.write { try $0.run([PostgreSQLOutcomes.removalOfOldRows]) } }
      return opened
    }

    private func findOrCreate() throws -> (PostgreSQLStore.Engine, StoreMetadata) {
      let folds = try renewFunctions()
      if let found = try connections.read({ try find($0, folds: folds) }) { return found }
      if isReadOnly {
        throw StoreFailure.error(
          NSPersistentStoreOpenError,
          message: """
            \(url.absoluteString): there is no store in the schema \(schemaName), and none is made by one that only \
            reads; open it once without NSReadOnlyPersistentStoreOption.
            """,
          file: url
        )
      }
      return try connections.write { connection in
        try takeLock(connection)
        // The schema is examined again, because another process may have created the store in the meantime.
        if let found = try find(connection, folds: folds) { return found }
        try create(connection)
        guard let found = try find(connection, folds: folds) else { throw noStore() }
        return found
      }
    }

    /// Prevents others from creating, writing or migrating the store, until the transaction ends.
    func takeLock(_ connection: PostgreSQLConnection) throws {
      try PostgreSQLMigrationLock(connections).take(connection)
    }

    /// Keeps others from reading tables, until the transaction ends.
    func takeTables(_ tables: [String], connection: PostgreSQLConnection) throws {
      try PostgreSQLMigrationLock(connections).takeTables(tables, connection: connection)
    }

    /// - Returns: `nil` if there is no store yet.
    func find(_ connection: PostgreSQLConnection, folds: Bool) throws -> (PostgreSQLStore.Engine, StoreMetadata)? {
      let content = try PostgreSQLContent(connection, schema: schemaName, store: url)
      if content.isEmpty { return nil }
      guard let metadata = content.metadata else { throw noStore() }
      let entities = model.entities(
        ofStoreWith: metadata.properties,
        configuration: configuration,
        ignoresVersions: ignoresVersions
      )
      if !ignoresVersions { try metadata.check(fits: model, entities: entities, file: url) }
      let schema = try SQLSchemaBuilder.build(
        model: model,
        entities: entities,
        catalog: content.catalog,
        names: PostgreSQLNames()
      )
      try PostgreSQLCatalogNames.check(
        existing: schema,
        named: schemaName,
        store: url,
        connection: connection
      )
      let engine = try PostgreSQLStore.Engine(
        url: url,
        schema: schema,
        connections: connections,
        identifier: metadata.uuid,
        folds: folds,
        modelNumber: content.modelNumber,
        lastTransaction: content.lastTransaction,
        tracksHistory: tracksHistory,
        hasHistory: content.hasTransactions,
        historyLifetime: historyLifetime,
        stateLimits: stateLimits
      )
      return (engine, metadata)
    }

    /// Has the schema's functions be those that this library and this server make.
    ///
    /// - Returns: true where the server can fold texts as memory does.
    private func renewFunctions() throws -> Bool {
      if !makesFunctions { return false }
      let renewal = PostgreSQLFunctionRenewal(schema: schemaName)
      if try connections.read(renewal.need) == .nothing { return true }
      if isReadOnly { return false }
      do {
        try connections.write { connection in
          try takeLock(connection)
          try renewal.run(connection)
        }
        return true
      } catch let error as PostgreSQLError where error.state == "42501" {
        // The owner of the functions has to renew them. Until then texts are folded in memory.
        return false
      }
    }

    func noStore() -> any Error {
      StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        message: """
          \(url.absoluteString): the schema \(schemaName) has tables, and is not a store of Core Data; name a schema of \
          its own by ?schema=.
          """,
        file: url
      )
    }

    private func functionStatements(_ connection: PostgreSQLConnection) throws -> [String] {
      PostgreSQLFunctions.creationStatements(
        schema: schemaName,
        corrections: try PostgreSQLCorrections.corrections(for: connection),
        version: try PostgreSQLFunctionVersion(for: connection)
      )
    }

    /// Creates the schema and the tables of a new store, with all entities of the model.
    func create(_ connection: PostgreSQLConnection) throws {
      let schema = try SQLSchemaBuilder.build(
        model: model,
        entities: model.entities,
        catalog: nil,
        names: PostgreSQLNames()
      )
      try PostgreSQLLimits.check(schema, store: url)
      try SQLFoldedIndex.check(model.entities, store: url)
      try PostgreSQLCatalogNames(connection).check(schema, store: url)
      try PostgreSQLSchema(schemaName).createIfMissing(connection, store: url)
      let statements =
        (makesFunctions ? try functionStatements(connection) : [])
        + PostgreSQLSystemTables.creationStatements + PostgreSQLHistoryTables.creationStatements
        + (try schema.creationStatements(PostgreSQLDialect(hasFunctions: makesFunctions)))
      for statement in statements { try connection.run(statement) }
      try connection.runScript(PostgreSQLComments(schema).statements.joined(separator: "; "))
      for entity in schema.entities { try connection.run(PostgreSQLSystemTables.keyRow(entity, in: schema)) }
      let metadata = StoreMetadata(model: model, storeType: NSPostgreSQLStoreType)
      try metadata.insert(connection, store: url)
      try PostgreSQLModelCache.write(model, table: connection)
    }
  }
#endif
