#if PostgreSQL
  import CoreData
  import Foundation
  import Logging
  import PostgreSQLDriver

  /// The indexes of a schema.
  enum PostgreSQLIndexes {
    /// The names of the existing indexes: false for an incomplete one, which the server keeps up to date but does not
    /// use.
    static func present(in schema: String, connection: PostgreSQLConnection) throws -> [String: Bool] {
      let rows = try connection.run(
        """
        SELECT c.relname::text, i.indisvalid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        JOIN pg_index i ON i.indexrelid = c.oid WHERE n.nspname = $1
        """,
        values: [.text(schema)]
      )
      var present: [String: Bool] = [:]
      for row in 0..<rows.rowCount {
        if let name = rows.text(row, column: 0) { present[name] = rows.integer(row, column: 1) == 1 }
      }
      return present
    }
  }

  /// Builds the indexes of a migrated store that only make queries faster: those of small tables in the migration's
  /// transaction, the others concurrently after it.
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

    /// An index that is built after the transaction.
    struct Later {
      let name: String
      /// The statement that builds it.
      let creation: String
      /// The statement for the index that replaces it if a value is too long; `nil` if no value can be.
      let replacement: String?
    }

    /// - Parameter longValues: that of the new schema.
    /// - Returns: the indexes that are to be built after the transaction.
    func buildSmall(
      _ indexes: [SQLMigrationPlan.Index],
      connection: PostgreSQLConnection,
      longValues: PostgreSQLLongValues,
      log: MigrationLog
    ) throws -> [Later] {
      var large: [Later] = []
      for index in indexes {
        if try isLarge(index.table, connection: connection) {
          large.append(
            Later(
              name: index.name,
              creation: Self.concurrentCreation(of: index, in: schema, dialect: dialect),
              replacement: longValues.concurrentReplacement(ofIndex: index.name)
            )
          )
        } else {
          let sql = index.creation(dialect)
          log.report("an index: \(sql)")
          try longValues.creating(sql) { try connection.run(sql) }
        }
      }
      return large
    }

    private func isLarge(_ table: String, connection: PostgreSQLConnection) throws -> Bool {
      if mostRows == .max { return false }
      let rows = try connection.run(
        "SELECT count(*) FROM (SELECT FROM \(dialect.identifier(table)) LIMIT \(mostRows + 1)) AS found"
      )
      return rows.integer(0, column: 0) ?? 0 > Int64(mostRows)
    }

    /// Builds indexes by a statement each, outside of a transaction. The migration has been committed: an index that
    /// cannot be built is logged, and `perennial check` names it.
    func buildLarge(_ indexes: [Later], connections: PostgreSQLConnections) {
      let log = MigrationLog(store)
      for index in indexes {
        log.report("an index, while others read and write: \(index.creation)")
        do {
          try connections.work.during(.write) {
            try connections.with(connections.pool, kind: .write) { try build(index, connection: $0) }
          }
        } catch {
          let cause = (error as? PostgreSQLError)?.message ?? error.localizedDescription
          // A new logger each time, so that a program that has set up its logging gets its own.
          Logger(label: "CoreData").warning(
            """
            \(store.absoluteString): the store was migrated, and its index \(index.name) could not be built: \(cause) \
            Queries are slower until it is: perennial check tells how.
            """
          )
        }
      }
    }

    /// Runs statements outside of any transaction. They wait for other transactions for the store's timeout, a setting of
    /// this connection's own session. No other connection gets a setting that would persist.
    private func build(_ index: Later, connection: PostgreSQLConnection) throws {
      guard connection.enclosure == nil else {
        throw StoreFailure.error(NSPersistentStoreOperationError, message: PostgreSQLFailure.poolerRemedy, file: store)
      }
      switch try PostgreSQLIndexes.present(in: schema, connection: connection)[index.name] {
      // Another program has built it, or an earlier attempt whose connection was lost.
      case true?: return
      case false?: try remove(index, connection: connection)
      case nil: break
      }
      do {
        try build(index, statement: index.creation, connection: connection)
      } catch let error as PostgreSQLError where error.isOfIndexSize {
        guard let replacement = index.replacement else { throw error }
        try build(index, statement: replacement, connection: connection)
      }
    }

    /// Runs the statement that builds an index. If it fails, the invalid index is removed, because no query uses it and
    /// the server still keeps it up to date:
    /// <https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY>.
    private func build(_ index: Later, statement: String, connection: PostgreSQLConnection) throws {
      do {
        try connection.runScript(statement)
      } catch {
        if connection.isUsable {
          // This also happens when the call's time is over.
          let deadline = connection.deadline
          connection.deadline = nil
          defer { connection.deadline = deadline }
          try? connection.evenWhereCancelled {
            let isValid = try PostgreSQLIndexes.present(in: schema, connection: connection)[index.name]
            if isValid == false { try remove(index, connection: connection) }
          }
        }
        throw error
      }
    }

    private func remove(_ index: Later, connection: PostgreSQLConnection) throws {
      let name = "\(dialect.identifier(schema)).\(dialect.identifier(index.name))"
      try connection.runScript("DROP INDEX CONCURRENTLY IF EXISTS \(name)")
    }

    /// The statement that builds an index concurrently with reads and writes, for any search path of the connection:
    /// <https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY>.
    static func concurrentCreation(
      of index: SQLMigrationPlan.Index,
      in schema: String,
      dialect: PostgreSQLDialect
    ) -> String {
      "CREATE INDEX CONCURRENTLY \(dialect.identifier(index.name)) "
        + "ON \(dialect.identifier(schema)).\(dialect.identifier(index.table)) (\(index.elements))"
    }
  }
#endif
