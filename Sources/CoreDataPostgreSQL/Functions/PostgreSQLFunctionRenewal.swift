#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLFunctions {
    /// True where a schema has functions that fold texts, from any version of the library.
    static func exist(in schema: String, connection: PostgreSQLConnection) throws -> Bool {
      let result = try connection.run(
        "SELECT to_regprocedure($1 || '.perennial_fold_cd(text)') IS NOT NULL",
        values: [.text(connection.identifier(schema))]
      )
      return result.integer(0, column: 0) == 1
    }
  }

  /// Renews the functions and collations of a store that were created by an older library or on an older server.
  struct PostgreSQLFunctionRenewal {
    let schema: String

    /// The work to be done.
    enum Need {
      case nothing
      case renewal
    }

    /// - Returns: `nothing` if there is no store yet.
    func need(_ connection: PostgreSQLConnection) throws -> Need {
      let store = try connection.run(
        "SELECT to_regclass($1 || '.perennial_metadata')::text",
        values: [.text(connection.identifier(schema))]
      )
      if store.isNull(0, column: 0) { return .nothing }
      let own = try PostgreSQLFunctionVersion(for: connection)
      return own.replaces(try PostgreSQLFunctionVersion(in: schema, connection: connection))
        ? .renewal : .nothing
    }

    /// Recreates the functions, and the indexes that use them, in the transaction of the connection, which has the
    /// migration lock. Saves and other renewals wait for it.
    ///
    /// While an index exists, the server's processes cache its expression with the functions inlined. `REINDEX` would
    /// therefore build it with the former functions, and other processes would continue to fill it with these.
    func run(_ connection: PostgreSQLConnection) throws {
      guard try need(connection) == .renewal else { return }
      let corrections = try PostgreSQLCorrections.corrections(for: connection)
      let statements = try PostgreSQLFunctions.creationStatements(
        schema: schema,
        corrections: corrections,
        version: PostgreSQLFunctionVersion(for: connection)
      )
      for statement in statements { try connection.run(statement) }
      let name = connection.identifier(schema)
      for collation in PostgreSQLFunctions.collationNames {
        try connection.run("ALTER COLLATION \(name).\(collation) REFRESH VERSION")
      }
      let indexes = try connection.run(Self.dependentIndexes, values: [.text(schema)])
      for row in 0..<indexes.rowCount {
        guard let index = indexes.text(row, column: 0), let creation = indexes.text(row, column: 1) else { continue }
        try connection.run("DROP INDEX \(index)")
        try connection.run(creation)
      }
    }

    private static let dependentIndexes = """
      SELECT DISTINCT d.objid::regclass::text, pg_get_indexdef(d.objid) \
      FROM pg_depend d JOIN pg_index i ON i.indexrelid = d.objid \
      WHERE d.classid = 'pg_class'::regclass AND (\
      d.refclassid = 'pg_proc'::regclass AND d.refobjid IN (SELECT p.oid FROM pg_proc p \
      JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND starts_with(p.proname, 'perennial_')) \
      OR d.refclassid = 'pg_collation'::regclass AND d.refobjid IN (SELECT c.oid FROM pg_collation c \
      JOIN pg_namespace n ON n.oid = c.collnamespace WHERE n.nspname = $1 AND starts_with(c.collname, 'perennial_')))
      """
  }
#endif
