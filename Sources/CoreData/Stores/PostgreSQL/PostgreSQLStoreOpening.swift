#if PostgreSQL
  import Deflate
  import Foundation
  import ModelFormats
  import PostgreSQLDriver

  /// Opens a store: finds out what is in its schema, makes a new one or checks the one that is there.
  struct PostgreSQLStoreOpening {
    let url: URL
    let model: NSManagedObjectModel
    let entities: [NSEntityDescription]
    let isReadOnly: Bool
    private let ignoresVersions: Bool
    private let tracksHistory: Bool
    private let connections: PostgreSQLConnections
    private var schemaName: String { connections.address.schema }

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
      guard let entities = model.storedEntities(forConfigurationName: configuration) else {
        throw StoreFailure.error(
          NSPersistentStoreOpenError,
          "The model has no configuration named \(configuration).",
          file: url
        )
      }
      self.entities = entities
      isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
      let tracking = options?[NSPersistentHistoryTrackingKey]
      tracksHistory = ((tracking as? Bool) ?? (tracking is NSDictionary)) && !isReadOnly
      ignoresVersions = (options?[NSIgnorePersistentStoreVersioningOption] as? Bool) ?? false
    }

    /// - Throws: an error when what is there is no store, or one of another model; or one of the server.
    func open() throws -> (PostgreSQLStore.Engine, StoreMetadata) {
      let folds = try renewFunctions()
      if let found = try connections.read({ try find($0, folds: folds) }) { return found }
      if isReadOnly {
        throw StoreFailure.error(
          NSPersistentStoreOpenError,
          """
          \(url.absoluteString): there is no store in the schema \(schemaName), and none is made by one that only \
          reads; open it once without NSReadOnlyPersistentStoreOption.
          """,
          file: url
        )
      }
      return try connections.write { connection in
        try takeLock(connection)
        // Looked at anew, since another process may have been quicker.
        if let found = try find(connection, folds: folds) { return found }
        try create(connection)
        guard let found = try find(connection, folds: folds) else { throw noStore() }
        return found
      }
    }

    /// Keeps others from making the same store meanwhile, until the transaction ends.
    private func takeLock(_ connection: PostgreSQLConnection) throws {
      try connection.run(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        [.text("perennial \(schemaName)")]
      )
    }

    /// - Returns: `nil` where there is nothing yet.
    private func find(
      _ connection: PostgreSQLConnection,
      folds: Bool
    ) throws -> (PostgreSQLStore.Engine, StoreMetadata)? {
      let content = try PostgreSQLContent(connection, schema: schemaName, store: url)
      if content.isEmpty { return nil }
      guard let metadata = content.metadata else { throw noStore() }
      if !ignoresVersions { try metadata.check(fits: model, entities: entities, file: url) }
      let schema = try SQLSchemaBuilder.build(
        model: model,
        entities: entities,
        catalog: content.catalog,
        names: PostgreSQLNames()
      )
      let engine = try PostgreSQLStore.Engine(
        url: url,
        schema: schema,
        connections: connections,
        folds: folds,
        modelNumber: content.modelNumber,
        tracksHistory: tracksHistory,
        hasHistory: content.hasTransactions
      )
      return (engine, metadata)
    }

    /// Has the schema's functions be those that this library and this server make.
    ///
    /// - Returns: true where the server can fold texts as memory does.
    private func renewFunctions() throws -> Bool {
      if !connections.capabilities[.folding] { return false }
      let renewal = PostgreSQLFunctionRenewal(schema: schemaName)
      if try connections.read(renewal.need) == .nothing { return true }
      if isReadOnly { return false }
      do {
        try connections.write(renewal.run)
        return true
      } catch let error as PostgreSQLError where error.state == "42501" {
        // Who owns them has to do it. Until then memory folds.
        return false
      }
    }

    private func noStore() -> any Error {
      StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        """
        \(url.absoluteString): the schema \(schemaName) has tables, and is no store of Core Data; name a schema of \
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

    /// Makes the schema and the tables of a new store.
    private func create(_ connection: PostgreSQLConnection) throws {
      let schema = try SQLSchemaBuilder.build(
        model: model,
        entities: entities,
        catalog: nil,
        names: PostgreSQLNames()
      )
      let statements =
        ["CREATE SCHEMA IF NOT EXISTS \(connection.identifier(schemaName))"]
        + (connections.capabilities[.folding] ? try functionStatements(connection) : [])
        + PostgreSQLSystemTables.creationStatements + PostgreSQLHistoryTables.creationStatements
        + (try schema.creationStatements(PostgreSQLDialect()))
      for statement in statements { try connection.run(statement) }
      for entity in schema.entities {
        try connection.run(PostgreSQLSystemTables.keyRow(entity, in: schema))
      }
      let metadata = StoreMetadata(model: model, entities: entities, storeType: NSPostgreSQLStoreType)
      try metadata.insert(connection, store: url)
      if let archive = try? model.document.archivedForStore(),
        let compressed = try? Deflate.compressed(archive)
      {
        try connection.run("INSERT INTO perennial_model (archive) VALUES ($1)", [.bytes(compressed)])
      }
    }
  }
#endif
