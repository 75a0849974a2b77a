#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("Queries of a store in PostgreSQL", .enabled(if: StoreKind.postgreSQLServer != nil, "no server"))
  struct PostgreSQLQueryTests {
    private struct Stop: Error {}

    @Test("rows that come in parts are made as they are asked for")
    func parts() throws {
      let stack = try Stack(.postgreSQL)
      try PostgreSQLServer.run("CREATE SEQUENCE made", in: stack)
      var count = 0
      try PostgreSQLServer.store(stack).engine().newest.readOnce { connection in
        // A read-only transaction cannot increment a sequence.
        try connection.connection.begin("BEGIN")
        defer { _ = try? connection.connection.run("ROLLBACK") }
        let all = SQLStatement(sql: "SELECT nextval('made') FROM generate_series(1, 1000000)")
        #expect(throws: Stop.self) {
          try connection.forEachRow(of: all, preparation: .inParts) { _ in
            count += 1
            if count == 1_500 { throw Stop() }
          }
        }
      }
      let made = try PostgreSQLServer.run("SELECT last_value FROM made", in: stack)
      #expect(made.integer(0, column: 0) == 2_000)
    }

    @Test("an asynchronous fetch that is cancelled ends at the server, which waits for a lock")
    func cancelled() async throws {
      let stack = try Stack(.postgreSQL)
      let connections = try PostgreSQLServer.connections(stack)
      let blocker = try PostgreSQLConnection(connections.address)
      let table = "\(blocker.identifier(connections.address.schema)).note"
      try blocker.run("BEGIN")
      try blocker.run("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE")
      let done = Signal()
      nonisolated(unsafe) let request = NSAsynchronousFetchRequest(
        fetchRequest: NSFetchRequest<Note>(entityName: "Note")
      ) { result in
        #expect((result.operationError as? CocoaError)?.code.rawValue == CocoaError.userCancelled.rawValue)
        done.send()
      }
      nonisolated(unsafe) let result = try stack.context.performAndWait {
        try #require(try stack.context.execute(request) as? NSAsynchronousFetchResult<Note>)
      }
      // The server's locks show that a query waits for the table.
      var isWaiting = false
      while !isWaiting {
        isWaiting =
          try blocker.run(
            "SELECT 1 FROM pg_locks, pg_sleep(0.01) WHERE relation = $1::regclass AND NOT granted",
            values: [.text(table)]
          ).rowCount > 0
      }
      result.cancel()
      await done.wait()
      try blocker.run("ROLLBACK")
      #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
    }

    /// The lines of the server's plan for a statement.
    private func plan(_ statement: SQLStatement, _ stack: Stack) throws -> String {
      let values = statement.bindings.map(PostgreSQLValue.init)
      let plan = try PostgreSQLServer.run("EXPLAIN \(statement.sql)", values, in: stack)
      return (0..<plan.rowCount).compactMap { plan.text($0, column: 0) }.joined(separator: "\n")
    }

    @Test("relationships, keys and unique values are found by an index")
    func indexes() throws {
      let stack = try Stack(.postgreSQL, model: GraphModel.shared)
      let store = try PostgreSQLServer.store(stack)
      let engine = try store.engine()
      let country = try #require(stack.coordinator.managedObjectModel.entitiesByName["Country"])
      let town = try #require(stack.coordinator.managedObjectModel.entitiesByName["Town"])
      for sql in [
        """
        INSERT INTO country (z_pk, z_ent, z_opt, code, name) SELECT n, \
        \(try engine.schema.entity(country).number), 1, 'c' || n, 'n' || n FROM generate_series(1, 5000) AS n
        """,
        """
        INSERT INTO town (z_pk, z_ent, z_opt, name, region, country) SELECT n, \
        \(try engine.schema.entity(town).number), 1, 't' || n, 'r' || n, n / 3 + 1 FROM generate_series(1, 10000) AS n
        """,
        "ANALYZE country", "ANALYZE town",
      ] { try PostgreSQLServer.run(sql, in: stack) }
      func fetch(_ entity: NSEntityDescription, _ format: String, _ arguments: [Any] = []) throws -> String {
        var query = FetchQuery(entity: entity)
        query.predicate = NSPredicate(format: format, argumentArray: arguments)
        let fetch = try SQLFetch(query, schema: engine.schema, store: store.index, dialect: engine.dialect)
        return try plan(fetch.rows(fetch.keyColumns), stack)
      }
      let one = try #require(try stack.fetch(Country.self, "code == 'c7'").first)
      for plan in [
        try fetch(town, "country == %@", [one]), try fetch(town, "country.code == 'c9'"),
        try fetch(country, "code == 'c9'"), try fetch(country, "code IN %@", [["c9", "c10"]]),
        try fetch(country, "SELF == %@", [one]), try fetch(town, "name == 't5' AND region == 'r5'"),
      ] {
        #expect(plan.contains("Index") || plan.contains("Bitmap"), "\(plan)")
        #expect(!plan.contains("Seq Scan on town"), "\(plan)")
      }
    }
  }
#endif
