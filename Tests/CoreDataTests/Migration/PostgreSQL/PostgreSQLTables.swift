#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// Inspects the tables of a PostgreSQL store without opening the store.
  struct PostgreSQLTables {
    private let connection: PostgreSQLConnection
    private let name: String

    init(_ place: URL) throws {
      name = try PostgreSQLAddress(place.absoluteString).schema
      connection = try PostgreSQLServer.connection(to: place)
    }

    /// The first column of a query's rows, as texts.
    func texts(_ sql: String) throws -> [String] {
      let result = try connection.run(sql)
      return (0..<result.rowCount).map { result.text($0, column: 0) ?? "-" }
    }

    func run(_ sql: String) throws { try connection.run(sql) }

    var schemaIsThere: Bool {
      get throws {
        try !texts("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(name)'").isEmpty
      }
    }

    private var tables: [String] {
      get throws {
        try texts(
          "SELECT relname::text FROM pg_class WHERE relnamespace = '\(name)'::regnamespace AND relkind = 'r'"
        )
      }
    }

    /// All columns, indexes, constraints, functions and rows.
    func dump() throws -> [String] {
      let rows = try tables.flatMap { table in
        try texts("SELECT '\(table): ' || r::text FROM \"\(table)\" AS r")
      }
      return (rows + (try schema())).sorted()
    }

    /// The entities, and the tables with their columns, indexes and constraints, regardless of the order of the columns and
    /// of the numbers of the entities.
    func schema() throws -> Set<String> {
      let columns = try texts(
        """
        SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull \
        || ' ' || coalesce(l.collname, '-') || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '-') \
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
        LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_attrdef d \
        ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
        WHERE c.relnamespace = '\(name)'::regnamespace AND c.relkind = 'r'
        """
      )
      let indexes = try texts(
        """
        SELECT replace(pg_get_indexdef(indexrelid), '\(name).', '') FROM pg_index JOIN pg_class c ON c.oid = indrelid \
        WHERE c.relnamespace = '\(name)'::regnamespace
        """
      )
      let constraints = try texts(
        """
        SELECT conname || ' ' || conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) FROM pg_constraint \
        WHERE connamespace = '\(name)'::regnamespace
        """
      )
      let functions = try texts(
        "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = '\(name)'::regnamespace"
      )
      let entities = try texts(
        """
        SELECT k.name || ' of ' || coalesce(s.name, '-') FROM perennial_keys k \
        LEFT JOIN perennial_keys s ON s.z_ent = k.super
        """
      )
      return Set(columns + indexes + constraints + functions + entities)
    }
  }
#endif
