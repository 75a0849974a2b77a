#if PostgreSQL
  import Foundation
  import Logging
  import PostgreSQLDriver

  /// The indexes of a schema.
  enum PostgreSQLIndexes {
    /// The names of the indexes that there are: false for one whose building was broken off, which the server keeps up to
    /// date and does not use.
    static func present(in schema: String, _ connection: PostgreSQLConnection) throws -> [String: Bool] {
      let rows = try connection.run(
        """
        SELECT c.relname::text, i.indisvalid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        JOIN pg_index i ON i.indexrelid = c.oid WHERE n.nspname = $1
        """,
        [.text(schema)]
      )
      var present: [String: Bool] = [:]
      for row in 0..<rows.rowCount {
        if let name = rows.text(row, 0) { present[name] = rows.integer(row, 1) == 1 }
      }
      return present
    }
  }

  /// Builds the indexes of a migrated store that only make queries faster: those of small tables in the migration's
  /// transaction, the others after it, while programs read and write.
  struct PostgreSQLIndexBuilding {
    let store: URL
    let schema: String
    /// The greatest number of rows whose indexes are built in the transaction.
    let mostRows: Int
    private let dialect = PostgreSQLDialect()

    init(store: URL, schema: String, mostRows: Int) {
      self.store = store
      self.schema = schema
      self.mostRows = mostRows
    }

    /// - Returns: the indexes that are to be built after the transaction.
    func buildSmall(
      _ indexes: [SQLMigrationPlan.Index],
      _ connection: PostgreSQLConnection,
      _ log: MigrationLog
    ) throws -> [SQLMigrationPlan.Index] {
      var large: [SQLMigrationPlan.Index] = []
      for index in indexes {
        if try isLarge(index.table, connection) {
          large.append(index)
        } else {
          let sql = index.creation(dialect)
          log.report("an index: \(sql)")
          try connection.run(sql)
        }
      }
      return large
    }

    private func isLarge(_ table: String, _ connection: PostgreSQLConnection) throws -> Bool {
      if mostRows == .max { return false }
      let rows = try connection.run(
        "SELECT count(*) FROM (SELECT FROM \(dialect.identifier(table)) LIMIT \(mostRows + 1)) AS found"
      )
      return rows.integer(0, 0) ?? 0 > Int64(mostRows)
    }

    /// Builds indexes by a statement each, outside of a transaction. The migration has been committed: an index that
    /// cannot be built is logged, and `perennial check` names it.
    func buildLarge(_ indexes: [SQLMigrationPlan.Index], _ connections: PostgreSQLConnections) {
      let log = MigrationLog(store)
      for index in indexes {
        let sql = Self.concurrentCreation(of: index, in: schema, dialect)
        log.report("an index, while others read and write: \(sql)")
        do {
          try connections.work.during(.write) {
            try connections.with(connections.pool, .write) { try build(sql, $0, timeout: connections.timeout) }
          }
        } catch {
          let cause = (error as? PostgreSQLError)?.message ?? error.localizedDescription
          // Made anew each time, so that it is the program's own once that has set up its logging.
          Logger(label: "CoreData").warning(
            """
            \(store.absoluteString): the store was migrated, and its index \(index.name) could not be built: \(cause) \
            Queries are slower until it is: perennial check tells how.
            """
          )
        }
      }
    }

    /// Runs a statement outside of any transaction, also where the statements of the connection are enclosed in one.
    ///
    /// - Parameter timeout: the time for which it waits for transactions of others, in seconds; not that of the building.
    private func build(_ sql: String, _ connection: PostgreSQLConnection, timeout: TimeInterval) throws {
      let milliseconds = min(max(timeout * 1000, 1), Double(Int32.max))
      try connection.runScript("SET lock_timeout TO \(Int(milliseconds))")
      try connection.runScript(sql)
    }

    /// The statement that builds an index while others read and write, whatever the path of the connection.
    static func concurrentCreation(
      of index: SQLMigrationPlan.Index,
      in schema: String,
      _ dialect: PostgreSQLDialect
    ) -> String {
      "CREATE INDEX CONCURRENTLY \(dialect.identifier(index.name)) "
        + "ON \(dialect.identifier(schema)).\(dialect.identifier(index.table)) (\(index.elements))"
    }
  }
#endif
