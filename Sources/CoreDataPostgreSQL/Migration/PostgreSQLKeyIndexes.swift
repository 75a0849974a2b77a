#if PostgreSQL
  import CoreData
  import PostgreSQLDriver

  /// The indexes of tables' keys in a schema that is migrated. Their names share a namespace with tables, and the index
  /// keeps its name when its table is renamed or set aside.
  struct PostgreSQLKeyIndexes {
    private let connection: PostgreSQLConnection
    private let schema: String
    private let dialect = PostgreSQLDialect()
    /// The tables of the store, before and after. Others in the schema are left as they are.
    private let oldTables, newTables: Set<String>

    init(_ connection: PostgreSQLConnection, schema: String, old: SQLSchema, new: SQLSchema) {
      self.connection = connection
      self.schema = schema
      oldTables = Self.names(old)
      newTables = Self.names(new)
    }

    private static func names(_ schema: SQLSchema) -> Set<String> {
      Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    }

    /// The older tables whose indexes ``makeRoom()`` or ``rename()`` may rename, in addition to those that the
    /// migration renames.
    func tablesToAlter() throws -> [String] {
      try keys(of: oldTables).filter { table, key in
        let wanted = "\(table)_pkey"
        return newTables.contains(key) || (key != wanted && !newTables.contains(wanted))
      }
      .map(\.table)
    }

    /// Renames the indexes whose names a new schema needs for its tables.
    func makeRoom() throws {
      for (table, key) in try keys(of: oldTables) where newTables.contains(key) {
        try rename(key, of: table, to: dialect.asideName(of: key))
      }
    }

    /// Renames the indexes to the names that the server gives those of new tables.
    func rename() throws {
      let condition = """
         AND k.conname <> c.relname || '_pkey' AND octet_length(c.relname || '_pkey') < 64 \
        AND NOT EXISTS (SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relname = c.relname || '_pkey')
        """
      for (table, key) in try keys(of: newTables, condition: condition) {
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

    /// Some tables of the schema with the names of the constraints that their keys are, in the order of these names.
    ///
    /// - Parameter condition: a further condition of the query.
    private func keys(of tables: Set<String>, condition: String = "") throws -> [(table: String, key: String)] {
      let rows = try connection.run(
        """
        SELECT c.relname::text, k.conname::text FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND k.contype = 'p'\(condition) ORDER BY 2
        """,
        values: [.text(schema)]
      )
      return (0..<rows.rowCount).compactMap { row in
        guard let table = rows.text(row, column: 0), let key = rows.text(row, column: 1),
          tables.contains(table)
        else { return nil }
        return (table: table, key: key)
      }
    }
  }
#endif
