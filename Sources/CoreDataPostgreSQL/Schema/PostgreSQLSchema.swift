#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The schema of a store: it is created, emptied and removed here.
  ///
  /// A role may own a schema without permission to create other schemas in the database.
  struct PostgreSQLSchema {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Makes the schema, unless it is there: `CREATE SCHEMA IF NOT EXISTS` asks for the right first.
    ///
    /// - Throws: an error with the grant, when the role may not make it.
    func createIfMissing(_ connection: PostgreSQLConnection, store: URL) throws {
      let isThere = try connection.run(
        "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)",
        values: [.text(name)]
      )
      if isThere.integer(0, column: 0) == 1 { return }
      let right = try connection.run(
        """
        SELECT has_database_privilege(current_database(), 'CREATE'), quote_ident(current_database())::text, \
        quote_ident(current_user)::text
        """
      )
      guard right.integer(0, column: 0) == 1 else {
        let (database, role) = (right.text(0, column: 1) ?? "", right.text(0, column: 2) ?? "")
        throw StoreFailure.error(
          CocoaError.fileWriteNoPermission.rawValue,
          message: """
            \(store.absoluteString): the role \(role) may not make the schema \(name), which is not there; make it by \
            CREATE SCHEMA \(connection.identifier(name)) AUTHORIZATION \(role), or let the role make schemas by \
            GRANT CREATE ON DATABASE \(database) TO \(role).
            """,
          file: store
        )
      }
      // Another program may have created the schema in the meantime.
      try connection.run("CREATE SCHEMA IF NOT EXISTS \(connection.identifier(name))")
    }

    /// Removes the schema, or only its content where the role could not create the schema again.
    func remove(_ connection: PostgreSQLConnection) throws {
      let right = try connection.run("SELECT has_database_privilege(current_database(), 'CREATE')")
      if right.integer(0, column: 0) == 1 {
        try connection.run("DROP SCHEMA \(connection.identifier(name)) CASCADE")
      } else {
        try removeContents(connection)
      }
    }

    /// Removes the tables of the schema, and the functions and collations of a store.
    func removeContents(_ connection: PostgreSQLConnection) throws {
      let found = try connection.run(Self.contents, values: [.text(name)])
      for row in 0..<found.rowCount {
        guard let kind = found.text(row, column: 0), let object = found.text(row, column: 1) else { continue }
        // An object may have been dropped together with another one.
        try connection.run("DROP \(kind) IF EXISTS \(object) CASCADE")
      }
    }

    /// The kinds and names of what ``removeContents(_:)`` removes.
    private static let contents = """
      SELECT 'TABLE', quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_class c \
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') \
      UNION ALL \
      SELECT 'FUNCTION', quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '(' || \
      pg_get_function_identity_arguments(p.oid) || ')' FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace \
      WHERE n.nspname = $1 AND starts_with(p.proname, 'perennial_') \
      UNION ALL \
      SELECT 'COLLATION', quote_ident(n.nspname) || '.' || quote_ident(c.collname) FROM pg_collation c \
      JOIN pg_namespace n ON n.oid = c.collnamespace \
      WHERE n.nspname = $1 AND starts_with(c.collname, 'perennial_')
      """
  }
#endif
