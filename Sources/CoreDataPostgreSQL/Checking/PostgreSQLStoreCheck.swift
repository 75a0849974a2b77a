#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Looks for faults in a store in PostgreSQL, and repairs those that can be repaired safely.
  struct PostgreSQLStoreCheck: StoreCheck {
    let url: URL
    let model: NSManagedObjectModel
    private let options: [AnyHashable: Any]?
    private let dialect = PostgreSQLDialect()

    /// - Parameters:
    ///   - store: the URL of the store.
    ///   - model: the model that the store is to fit; the one in the store when `nil`.
    ///   - options: the options of the store's connections.
    /// - Throws: an error that names the store, when there is no model in it and none is given, or when it cannot be
    ///   reached.
    init(store: URL, model: NSManagedObjectModel?, options: [AnyHashable: Any]? = nil) throws {
      url = store
      self.options = options
      self.model = try model ?? NSManagedObjectModel(cachedIn: store, options: options)
      self.model.freeze()
    }

    /// Looks for what is wrong with the store.
    ///
    /// Each part of the check is a transaction of its own: one over all rows of a large store would keep the server from
    /// removing old versions of rows for as long as it lasts. So a finding is of the moment at which its part began.
    ///
    /// - Throws: an error that says so, when another program migrates the store meanwhile.
    func findings() throws -> [StoreFinding] {
      try withConnections { connections in try findings(connections) { try connections.read($0) } }
    }

    /// Makes the safe repairs, in one transaction that blocks all other writers. The transaction checks the store again,
    /// because other programs may have written it since ``findings()``.
    ///
    /// - Parameter copy: the URL of a schema of the same database, which must not contain tables.
    @discardableResult
    func repair(copyingTo copy: URL) throws -> Bool {
      let address = try PostgreSQLStore.address(of: copy, options: options)
      return try withConnections { connections in
        // If the connection is lost during the commit, the next attempt may find a repaired store.
        var hasMended = false
        return try connections.write { connection in
          // The lock comes before any table lock, so that saves and migrations wait for it first. The check must see all
          // rows, because a row that a policy hides is not a reason to remove links to it.
          try PostgreSQLMigrationLock(connections).take(connection)
          let schema = connections.address.schema
          let content = try PostgreSQLContent(connection, schema: schema, store: url)
          let tables = content.catalog.tables.values.map(\.name).sorted()
          for table in tables {
            try connection.run("LOCK TABLE \(dialect.identifier(table)) IN SHARE ROW EXCLUSIVE MODE")
          }
          let repairs = try findings(connections) { try $0(connection) }.compactMap(\.repair)
          if repairs.isEmpty { return hasMended }
          try PostgreSQLSchema(address.schema).createIfMissing(connection, store: copy)
          guard try PostgreSQLContent(connection, schema: address.schema, store: copy).isEmpty else {
            throw PostgreSQLStore.isTaken(copy, schema: address.schema)
          }
          try self.copy(tables, from: schema, to: address.schema, connection: connection)
          let longValues = try? PostgreSQLLongValues(
            schema: sqlSchema(content.catalog),
            named: schema,
            store: url,
            connection: connection
          )
          for repair in repairs { try run(repair, connection: connection, longValues: longValues) }
          hasMended = true
          return true
        }
      }
    }

    /// Copies tables unchanged, with their faults and their keys.
    private func copy(
      _ tables: [String],
      from schema: String,
      to copy: String,
      connection: PostgreSQLConnection
    ) throws {
      let (old, new) = (connection.identifier(schema), connection.identifier(copy))
      try connection.run("SET LOCAL search_path TO \(new)")
      let corrections = try PostgreSQLCorrections.corrections(for: connection)
      for statement in PostgreSQLFunctions.creationStatements(schema: copy, corrections: corrections) {
        try connection.run(statement)
      }
      try connection.run("SET LOCAL search_path TO \(old)")
      for table in tables.map(dialect.identifier) {
        try connection.run("CREATE TABLE \(new).\(table) (LIKE \(old).\(table) INCLUDING ALL EXCLUDING INDEXES)")
        try connection.run("INSERT INTO \(new).\(table) SELECT * FROM \(old).\(table)")
      }
      // Other indexes may use functions of the schema that is copied, and would go with it.
      let keys = try connection.run(
        """
        SELECT quote_ident(c.relname)::text, pg_get_constraintdef(k.oid)::text FROM pg_constraint k \
        JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1 AND k.contype IN ('p', 'u')
        """,
        values: [.text(schema)]
      )
      for row in 0..<keys.rowCount {
        guard let table = keys.text(row, column: 0), let key = keys.text(row, column: 1) else { continue }
        try connection.run("ALTER TABLE \(new).\(table) ADD \(key)")
      }
    }

    /// - Parameter longValues: creates replacements for the indexes that the values are too long for; `nil` where the
    ///   model does not fit.
    private func run(
      _ repair: StoreFinding.Repair,
      connection: PostgreSQLConnection,
      longValues: PostgreSQLLongValues?
    ) throws {
      switch repair {
      case .statements(let statements):
        for statement in statements {
          guard let longValues else {
            try connection.run(statement)
            continue
          }
          try longValues.creating(statement) { try connection.run(statement) }
        }
      case .metadata:
        let schema = try PostgreSQLStore.address(of: url, options: options).schema
        guard let metadata = try PostgreSQLContent(connection, schema: schema, store: url).metadata else { return }
        try connection.run(
          "UPDATE perennial_metadata SET properties = $1",
          values: [.bytes(try metadata.withDigests().data(store: url))]
        )
      case .removeFiles: return
      }
    }

    // MARK: - Looking

    /// Does a part of the check in a transaction, and does it again where its connection is lost.
    typealias Transaction = ((PostgreSQLConnection) throws -> Void) throws -> Void

    /// A store whose tables have the columns of the model.
    private struct Subject {
      let engine: PostgreSQLStore.Engine
      let metadata: StoreMetadata
      /// The number of the model, which each migration increments.
      let modelNumber: Int64
    }

    func findings(_ connections: PostgreSQLConnections, transaction: @escaping Transaction) throws -> [StoreFinding] {
      var findings: [StoreFinding] = []
      var found: Subject?
      try transaction { connection in
        try connection.requireAllRows()
        (findings, found) = try schemaFindings(connection, connections: connections)
      }
      guard let subject = found else { return findings }
      let part: Transaction = { body in
        try transaction { connection in
          try connection.requireAllRows()
          try requireModel(of: subject, connection: connection)
          try body(connection)
        }
      }
      var unknown: Set<String> = []
      for problem in SQLStoreProblems(schema: subject.engine.schema, dialect: dialect).all() {
        var rows: StoreFinding?
        try part { rows = try rowFinding(problem, connection: $0) }
        guard let finding = rows else { continue }
        findings.append(finding)
        if finding.kind == .entity { unknown.insert(problem.table) }
      }
      // A row of an unknown entity cannot be read at all.
      for table in subject.engine.schema.tables where !unknown.contains(table.name) {
        if let finding = try valueFinding(table, subject: subject, part: part) { findings.append(finding) }
      }
      return findings
    }

    /// - Returns: the faults of the metadata and the schema, and the store if its rows can be checked.
    private func schemaFindings(
      _ connection: PostgreSQLConnection,
      connections: PostgreSQLConnections
    ) throws -> ([StoreFinding], Subject?) {
      let name = connections.address.schema
      let content = try PostgreSQLContent(connection, schema: name, store: url)
      guard let metadata = content.metadata else { throw PostgreSQLStore.noStore(at: url, schema: name) }
      var findings = metadataFindings(metadata, model: model, table: PostgreSQLSystemTables.metadata)
      let schema: SQLSchema
      do {
        schema = try sqlSchema(content.catalog)
      } catch {
        let problem = (error as NSError).localizedDescription
        let remedy = "check with the model that the store was made with"
        return (findings + [StoreFinding(kind: .schema, problem: problem, remedy: remedy)], nil)
      }
      let tables = PostgreSQLSchemaCheck(schema: schema, name: name, connection: connection)
      let columns = try tables.columnFindings()
      findings += columns
      // Queries on columns of the wrong types would fail or mislead, so the check ends here.
      if !columns.isEmpty { return (findings, nil) }
      findings += try tables.indexFindings()
      findings += try keyFindings(schema, connection: connection)
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
        stateLimits: PostgreSQLPinnedSnapshots.standardLimits
      )
      return (findings, Subject(engine: engine, metadata: metadata, modelNumber: content.modelNumber))
    }

    private func keyFindings(_ schema: SQLSchema, connection: PostgreSQLConnection) throws -> [StoreFinding] {
      let check = SQLKeyCheck(
        schema: schema,
        dialect: dialect,
        columns: .init(entity: "z_ent", name: "name", parent: "super", last: "last")
      )
      return try check.findings(on: PostgreSQLQueryConnection(connection: connection)) { entity in
        let result = try connection.run("SELECT \(check.greatestKey(entity))::bigint")
        return result.integer(0, column: 0) ?? 0
      }
    }

    /// The tables of the model as a database has them.
    private func sqlSchema(_ catalog: SQLCatalog) throws -> SQLSchema {
      try SQLSchemaBuilder.build(
        model: model,
        entities: model.entities,
        catalog: catalog,
        names: PostgreSQLNames()
      )
    }

    private func requireModel(of subject: Subject, connection: PostgreSQLConnection) throws {
      let row = try connection.run("SELECT model_number, uuid FROM perennial_metadata")
      let isSame =
        row.rowCount > 0 && row.integer(0, column: 0) == subject.modelNumber
        && row.text(0, column: 1) == subject.metadata.uuid
      if isSame { return }
      throw StoreFailure.error(
        NSPersistentStoreIncompatibleVersionHashError,
        message: """
          \(url.absoluteString): another program has migrated or replaced the store while it was checked; check it again, \
          with its new model.
          """,
        file: url
      )
    }

    private func rowFinding(_ problem: SQLProblem, connection: PostgreSQLConnection) throws -> StoreFinding? {
      let key = problem.key.map { "t.\(dialect.identifier($0))" }
      let shown = key.map { "\($0)::text" }.joined(separator: ", ")
      let rows = try connection.run(
        """
        SELECT concat_ws(' and ', \(shown)), count(*) OVER () FROM \(dialect.identifier(problem.table)) t \
        WHERE \(problem.condition) ORDER BY \(key.joined(separator: ", ")) LIMIT \(SQLProblem.shownKeys)
        """
      )
      guard rows.rowCount > 0 else { return nil }
      let first = (0..<rows.rowCount).compactMap { rows.text($0, column: 0) }
      return problem.finding(first, of: Int(rows.integer(0, column: 1) ?? 0))
    }

    /// The number of pieces of at most 1,000 rows that are read in a transaction.
    private static let piecesAtOnce = 100

    /// The first row of a table that cannot be read; reading stops at it.
    private func valueFinding(_ table: SQLTable, subject: Subject, part: Transaction) throws -> StoreFinding? {
      var last: Int64? = Int64.min
      do {
        while let start = last {
          try part { connection in
            let contents = subject.engine.contents(connection, metadata: subject.metadata, index: 0)
            var key: Int64? = start
            for _ in 0..<Self.piecesAtOnce {
              guard let after = key else { break }
              key = try contents.rows(root: Int32(table.root.number), after: after).last?.row.key
            }
            last = key
          }
        }
        return nil
      } catch let error where !isOfServer(error) {
        let problem = (error as NSError).localizedDescription
        return StoreFinding(kind: .value, problem: problem, remedy: "set the value anew, or delete the row")
      }
    }

    /// True for an error that says nothing of the values in the store.
    private func isOfServer(_ error: any Error) -> Bool {
      error is PostgreSQLError || error is StoreCallEnded || error is StoreClosing
        || (error as NSError).code == NSPersistentStoreIncompatibleVersionHashError
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
