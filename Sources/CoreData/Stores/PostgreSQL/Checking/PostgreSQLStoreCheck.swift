#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// Looks for what is wrong with a store in PostgreSQL, and mends what can be mended safely.
  package struct PostgreSQLStoreCheck: StoreCheck {
    let url: URL
    let model: NSManagedObjectModel
    private let options: [AnyHashable: Any]?
    private let dialect = PostgreSQLDialect()

    /// - Parameters:
    ///   - store: the URL of the store.
    ///   - model: the model that the store is to fit; the one in the store when `nil`.
    ///   - options: the options of the store's connections.
    /// - Throws: an error that names the store, when it has no model and none is given, or cannot be
    ///   reached.
    package init(store: URL, model: NSManagedObjectModel?, options: [AnyHashable: Any]? = nil) throws {
      url = store
      self.options = options
      self.model = try model ?? NSManagedObjectModel(cachedIn: store, options: options)
      self.model.freeze()
    }

    package func findings() throws -> [StoreFinding] {
      try withConnections { connections in
        try connections.read { connection in
          try connection.requireAllRows()
          return try findings(connection, connections)
        }
      }
    }

    /// Mends what can be mended, in one transaction that keeps all others from writing. The store is
    /// looked at once more in it, since others may have written it since ``findings()``.
    ///
    /// - Parameter copy: the URL of a schema of the same database, in which there is no table yet.
    @discardableResult
    package func repair(copyingTo copy: URL) throws -> Bool {
      let address = try PostgreSQLStore.address(of: copy, options: options)
      return try withConnections { connections in
        // Where the connection is lost in the commit, the next attempt may find that all is mended.
        var hasMended = false
        return try connections.write { connection in
          // A row that is hidden is no reason to remove links to it.
          try connection.requireAllRows()
          let schema = connections.address.schema
          let content = try PostgreSQLContent(connection, schema: schema, store: url)
          let tables = content.catalog.tables.values.map(\.name).sorted()
          for table in tables {
            try connection.run("LOCK TABLE \(dialect.identifier(table)) IN SHARE ROW EXCLUSIVE MODE")
          }
          let repairs = try findings(connection, connections).compactMap(\.repair)
          if repairs.isEmpty { return hasMended }
          try PostgreSQLSchema(address.schema).createIfMissing(connection, store: copy)
          guard try PostgreSQLContent(connection, schema: address.schema, store: copy).isEmpty else {
            throw PostgreSQLStore.isTaken(copy, address.schema)
          }
          try self.copy(tables, from: schema, to: address.schema, connection)
          for repair in repairs { try run(repair, connection) }
          hasMended = true
          return true
        }
      }
    }

    /// Copies tables as they are, whatever is wrong with them.
    private func copy(
      _ tables: [String],
      from schema: String,
      to copy: String,
      _ connection: PostgreSQLConnection
    ) throws {
      let (old, new) = (connection.identifier(schema), connection.identifier(copy))
      try connection.run("SET LOCAL search_path TO \(new)")
      let corrections = try PostgreSQLCorrections.corrections(for: connection)
      for statement in PostgreSQLFunctions.creationStatements(schema: copy, corrections: corrections) {
        try connection.run(statement)
      }
      try connection.run("SET LOCAL search_path TO \(old)")
      for table in tables.map(dialect.identifier) {
        try connection.run("CREATE TABLE IF NOT EXISTS \(new).\(table) (LIKE \(old).\(table) INCLUDING ALL)")
        try connection.run("INSERT INTO \(new).\(table) SELECT * FROM \(old).\(table) ON CONFLICT DO NOTHING")
      }
    }

    private func run(_ repair: StoreFinding.Repair, _ connection: PostgreSQLConnection) throws {
      switch repair {
      case .statements(let statements): for statement in statements { try connection.run(statement) }
      case .metadata:
        let schema = try PostgreSQLStore.address(of: url, options: options).schema
        guard let metadata = try PostgreSQLContent(connection, schema: schema, store: url).metadata else {
          return
        }
        try connection.run(
          "UPDATE perennial_metadata SET properties = $1",
          [.bytes(try metadata.withDigests().data(store: url))]
        )
      case .removeFiles: return
      }
    }

    // MARK: - Looking

    private func findings(
      _ connection: PostgreSQLConnection,
      _ connections: PostgreSQLConnections
    ) throws -> [StoreFinding] {
      let name = connections.address.schema
      let content = try PostgreSQLContent(connection, schema: name, store: url)
      guard let metadata = content.metadata else { throw PostgreSQLStore.noStore(at: url, name) }
      var findings = metadataFindings(metadata, model, PostgreSQLSystemTables.metadata)
      let schema: SQLSchema
      do {
        schema = try SQLSchemaBuilder.build(
          model: model,
          entities: model.entities,
          catalog: content.catalog,
          names: PostgreSQLNames()
        )
      } catch {
        let problem = (error as NSError).localizedDescription
        return findings + [
          StoreFinding(.schema, problem, remedy: "check with the model that the store was made with")
        ]
      }
      let tables = PostgreSQLSchemaCheck(schema: schema, name: name, connection: connection)
      let columns = try tables.columnFindings()
      findings += columns
      // What a query says of columns of other types is an error at best.
      if !columns.isEmpty { return findings }
      findings += try tables.indexFindings()
      findings += try PostgreSQLKeyCheck(schema: schema, connection: connection).findings()
      let rows = try rowFindings(SQLStoreProblems(schema: schema, dialect: dialect), connection)
      findings += rows.map(\.finding)
      let engine = try PostgreSQLStore.Engine(
        url: url,
        schema: schema,
        connections: connections,
        identifier: metadata.uuid,
        folds: false,
        modelNumber: content.modelNumber,
        lastTransaction: content.lastTransaction,
        tracksHistory: false,
        hasHistory: false,
        historyLifetime: nil,
        stateLimits: PostgreSQLHeldStates.standardLimits
      )
      let unknown = Set(rows.filter { $0.finding.kind == .entity }.map(\.table))
      return findings + valueFindings(engine, connection, metadata, except: unknown)
    }

    private func rowFindings(
      _ problems: SQLStoreProblems,
      _ connection: PostgreSQLConnection
    ) throws -> [(table: String, finding: StoreFinding)] {
      try problems.all().compactMap { problem in
        let key = problem.key.map { "t.\(dialect.identifier($0))" }
        let shown = key.map { "\($0)::text" }.joined(separator: ", ")
        let rows = try connection.run(
          """
          SELECT concat_ws(' and ', \(shown)), count(*) OVER () FROM \(dialect.identifier(problem.table)) t \
          WHERE \(problem.condition) ORDER BY \(key.joined(separator: ", ")) LIMIT \(SQLProblem.shownKeys)
          """
        )
        guard rows.rowCount > 0 else { return nil }
        let first = (0..<rows.rowCount).compactMap { rows.text($0, 0) }
        return (problem.table, problem.finding(first, of: Int(rows.integer(0, 1) ?? 0)))
      }
    }

    /// The first row of each table that cannot be read; reading stops at it.
    ///
    /// - Parameter tables: those with rows of unknown entities.
    private func valueFindings(
      _ engine: PostgreSQLStore.Engine,
      _ connection: PostgreSQLConnection,
      _ metadata: StoreMetadata,
      except tables: Set<String>
    ) -> [StoreFinding] {
      let contents = engine.contents(connection, metadata, index: 0)
      return engine.schema.tables.compactMap { table in
        if tables.contains(table.name) { return nil }
        do {
          var last = Int64.min
          while let key = try contents.rows(root: Int32(table.root.number), after: last).last?.row.key {
            last = key
          }
          return nil
        } catch {
          let problem = (error as NSError).localizedDescription
          return StoreFinding(.value, problem, remedy: "set the value anew, or delete the row")
        }
      }
    }

    private func withConnections<Value>(_ body: (PostgreSQLConnections) throws -> Value) throws -> Value {
      let connections = try PostgreSQLStore.connections(to: url, options: options)
      defer { connections.close() }
      do {
        return try body(connections)
      } catch {
        throw PostgreSQLFailure.error(error, store: url, doing: "The store could not be checked")
      }
    }
  }
#endif
