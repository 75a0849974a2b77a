#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Functions of a store in PostgreSQL",
    .enabled(
      if: StoreKind.postgreSQLServer != nil && !PostgreSQLServer.isWithout("folding"),
      "PERENNIAL_POSTGRESQL has no URL of a server, or functions are switched off"
    )
  )
  struct PostgreSQLFunctionRenewalTests {
    private func reopen(_ stack: Stack) throws {
      let store = try #require(stack.coordinator.persistentStores.first)
      let url = store.url
      try stack.coordinator.remove(store)
      try stack.coordinator.addPersistentStore(ofType: "PostgreSQL", configurationName: nil, at: url)
    }

    private func version(_ stack: Stack) throws -> PostgreSQLFunctionVersion? {
      let connections = try PostgreSQLServer.connections(stack)
      return try connections.read {
        try PostgreSQLFunctionVersion(in: connections.address.schema, connection: $0)
      }
    }

    /// Installs the function of another version of the library in the schema, and an index over its values.
    private func pretend(_ version: PostgreSQLFunctionVersion, _ stack: Stack) throws {
      for sql in [
        "CREATE OR REPLACE FUNCTION perennial_fold_c(text) RETURNS text LANGUAGE sql IMMUTABLE "
          + "PARALLEL SAFE RETURN 'x'",
        "COMMENT ON FUNCTION perennial_fold_c(text) IS '\(version.text)'",
        "CREATE INDEX folded ON note (perennial_fold_c(title))",
      ] { try PostgreSQLServer.run(sql, in: stack) }
    }

    private func indexed(_ text: String, _ stack: Stack) throws -> Int {
      try PostgreSQLServer.connections(stack).write { connection in
        try connection.run("SET LOCAL enable_seqscan = off")
        return try connection.run(
          "SELECT 1 FROM note WHERE perennial_fold_c(title) = $1",
          values: [.text(text)]
        )
        .rowCount
      }
    }

    @Test("functions of an older library or server are renewed with their indexes")
    func older() throws {
      let stack = try Stack(.postgreSQL)
      stack.note("ÉVA")
      try stack.save()
      let own = try #require(try version(stack))
      for older in [
        PostgreSQLFunctionVersion(library: own.library - 1, marks: own.marks + 1, server: own.server),
        PostgreSQLFunctionVersion(library: own.library, marks: own.marks - 1, server: own.server),
        PostgreSQLFunctionVersion(library: own.library, marks: own.marks, server: "14 1.2"),
      ] {
        try pretend(older, stack)
        #expect(try indexed("x", stack) == 1)
        try reopen(stack)
        #expect(try version(stack) == own)
        #expect(try indexed("x", stack) == 0)
        #expect(try indexed("e\u{301}va", stack) == 1)
        try PostgreSQLServer.run("DROP INDEX folded", in: stack)
      }
    }

    @Test("functions are renewed with their indexes in a session that has used them before")
    func used() throws {
      let stack = try Stack(.postgreSQL)
      stack.note("ÉVA")
      try stack.save()
      let own = try #require(try version(stack))
      try pretend(
        PostgreSQLFunctionVersion(library: own.library - 1, marks: own.marks, server: own.server),
        stack
      )
      #expect(try indexed("x", stack) == 1)
      let connections = try PostgreSQLServer.connections(stack)
      // The pool lends the connection that was returned last.
      try connections.write(PostgreSQLFunctionRenewal(schema: connections.address.schema).run)
      #expect(try indexed("x", stack) == 0)
      #expect(try indexed("e\u{301}va", stack) == 1)
    }

    @Test("functions of a newer library stay")
    func newer() throws {
      let stack = try Stack(.postgreSQL)
      let own = try #require(try version(stack))
      let newer = PostgreSQLFunctionVersion(library: own.library + 1, marks: own.marks, server: own.server)
      try pretend(newer, stack)
      try reopen(stack)
      #expect(try version(stack) == newer)
    }

    @Test("functions are created in a store made by a process without them")
    func missing() throws {
      let stack = try Stack(.postgreSQL)
      try PostgreSQLServer.run(
        "DROP FUNCTION perennial_fold_c(text), perennial_fold_d(text), perennial_fold_cd(text)",
        in: stack
      )
      try reopen(stack)
      stack.note("ÉVA")
      try stack.save()
      #expect(try stack.fetch(Note.self, "title ==[cd] 'eva'", in: stack.newContext()).count == 1)
    }
  }
#endif
