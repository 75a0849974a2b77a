#if PostgreSQL
  import PostgreSQLDriver

  /// The indexes of tables' keys in a schema that is migrated. Their names are in one space with those of tables, and a
  /// table that is renamed or set aside does not take that of its index along.
  struct PostgreSQLKeyIndexes {
    private let connection: PostgreSQLConnection
    private let schema: String
    private let dialect = PostgreSQLDialect()

    init(_ connection: PostgreSQLConnection, schema: String) {
      self.connection = connection
      self.schema = schema
    }

    /// Gives other names to the indexes that have those of tables which a new schema is to have.
    func makeRoom(for new: SQLSchema) throws {
      let tables = Set(new.tables.map(\.name) + new.joinTables.map(\.name))
      let rows = try connection.run("\(Self.keys) ORDER BY 2", [.text(schema)])
      for row in 0..<rows.rowCount {
        guard let table = rows.text(row, 0), let key = rows.text(row, 1), tables.contains(key) else { continue }
        try rename(key, of: table, to: dialect.asideName(of: key))
      }
    }

    /// Gives the indexes the names that the server gives those of new tables.
    func rename() throws {
      let rows = try connection.run(
        """
        \(Self.keys) AND k.conname <> c.relname || '_pkey' AND octet_length(c.relname || '_pkey') < 64 \
        AND NOT EXISTS (SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relname = c.relname || '_pkey')
        """,
        [.text(schema)]
      )
      for row in 0..<rows.rowCount {
        guard let table = rows.text(row, 0), let key = rows.text(row, 1) else { continue }
        try rename(key, of: table, to: "\(table)_pkey")
      }
    }

    private func rename(_ key: String, of table: String, to name: String) throws {
      try connection.run(
        """
        ALTER TABLE \(dialect.identifier(table)) RENAME CONSTRAINT \(dialect.identifier(key)) \
        TO \(dialect.identifier(name))
        """
      )
    }

    /// The tables of a schema, and the names of the constraints that their keys are.
    private static let keys = """
      SELECT c.relname::text, k.conname::text FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND k.contype = 'p'
      """
  }
#endif
