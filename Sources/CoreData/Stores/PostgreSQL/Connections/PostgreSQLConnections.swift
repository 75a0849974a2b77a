#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// The connections of a store: a bounded number, each of which reads or writes.
  final class PostgreSQLConnections: Sendable, SQLReadSource, PostgreSQLWriteTarget {
    let address: PostgreSQLAddress
    let capabilities: PostgreSQLCapabilities
    /// The time for which it waits for connections, for others who write and for the server, in
    /// seconds.
    let timeout: TimeInterval
    private let pool: PostgreSQLPool
    /// Serves those who need a short transaction of its own while they have a connection: they must
    /// not wait for each other.
    private let spare: PostgreSQLPool

    /// The number of connections of a store whose options say nothing.
    static let defaultCount = 8

    /// - Throws: an error when the options or the address name a capability that there is not.
    init(_ address: PostgreSQLAddress, options: [AnyHashable: Any]?) throws {
      self.address = address
      capabilities = try PostgreSQLCapabilities(address, options: options)
      timeout = StoreTimeout.seconds(in: options)
      let count = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
      let prepare = { @Sendable (connection: PostgreSQLConnection) in
        // Names of the store are found in its schema alone, whatever the role or the database says.
        _ = try connection.run(
          "SELECT set_config('search_path', $1::text, false)",
          [.text(PostgreSQLConnection.identifier(address.schema))]
        )
      }
      pool = PostgreSQLPool(address, count: max(1, count ?? Self.defaultCount), prepare: prepare)
      spare = PostgreSQLPool(address, count: 1, prepare: prepare)
    }

    // MARK: - Reading

    /// Runs one query.
    func readOnce<Value>(_ body: (PostgreSQLQueryConnection) throws -> Value) throws -> Value {
      try with(pool) { try body(PostgreSQLQueryConnection(connection: $0)) }
    }

    /// Runs several queries that see the same state.
    func read<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
      try with(pool) { connection in
        try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return try ending(connection) {
          let value = try body(connection)
          try connection.run("COMMIT")
          return value
        }
      }
    }

    // MARK: - Writing

    /// Runs a transaction that writes: all of it is kept, or nothing.
    func write<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
      try write(first: SQLStatement(sql: "SELECT pg_current_xact_id()::text"), body) { _ in }
    }

    /// Runs a transaction that writes the store that it was opened as.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      try write(first: guardian.statement, body) { try guardian.check($0) }
    }

    /// - Parameters:
    ///   - first: the first statement, whose first column is the number of the transaction.
    ///   - check: looks at what the first statement answers.
    private func write<Value>(
      first: SQLStatement,
      _ body: (PostgreSQLConnection) throws -> Value,
      check: (PostgreSQLResult) throws -> Void
    ) throws -> Value {
      var outcome: PostgreSQLCommit?
      do {
        return try with(pool) { connection in
          let results = try connection.run([
            PostgreSQLStatement("BEGIN"),
            PostgreSQLStatement(first.sql, first.bindings.map(PostgreSQLValue.init), isCached: true),
          ])
          return try ending(connection) {
            try check(results[1])
            let value = try body(connection)
            let commit = PostgreSQLCommit(transaction: results[1].text(0, 0), value: value)
            outcome = commit
            try connection.run("COMMIT")
            return value
          }
        }
      } catch let error as PostgreSQLError where error.isConnectionLost {
        // Whether it was committed is not known by who has lost the connection: the server knows.
        if let outcome, let value = outcome.value as? Value, try wasCommitted(outcome) { return value }
        throw error
      }
    }

    /// Runs work in a transaction, which is taken back when the work fails.
    private func ending<Value>(_ connection: PostgreSQLConnection, _ work: () throws -> Value) throws -> Value
    {
      do {
        return try work()
      } catch {
        // The pool throws away a connection that cannot do it.
        if connection.isUsable {
          connection.deadline = nil
          _ = try? connection.run("ROLLBACK")
        }
        throw error
      }
    }

    /// A transaction whose end was asked for.
    private struct PostgreSQLCommit {
      /// Its number; `nil` where the server has not told it.
      let transaction: String?
      let value: Any
    }

    /// True when the server has kept a transaction whose connection was lost while it was ended.
    ///
    /// - Throws: an error where the server cannot be reached in time, or does not know.
    private func wasCommitted(_ commit: PostgreSQLCommit) throws -> Bool {
      guard let transaction = commit.transaction else { return false }
      let limit = StoreCall.limit(timeout: timeout)
      while true {
        let status = try with(pool) { connection in
          try connection.run("SELECT pg_xact_status($1::xid8)", [.text(transaction)]).text(0, 0)
        }
        switch status {
        case "committed": return true
        case "in progress" where limit > .now:
          // Its process at the server has not noticed yet that nobody is there any more.
          try with(pool) { connection in
            _ = try connection.run("SELECT pg_sleep(0.05)")
          }
        case "aborted": return false
        default: throw PostgreSQLFailure.unknownOutcome(address)
        }
      }
    }

    // MARK: - Connections

    /// Runs a statement that is a transaction by itself, also while this thread has a connection.
    func runAlone(_ statement: SQLStatement) throws -> PostgreSQLResult {
      try with(spare) { try $0.run(statement) }
    }

    /// Runs work on a connection, which ends with the call of this thread.
    private func with<Value>(
      _ pool: PostgreSQLPool,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      let limit = StoreCall.limit(timeout: timeout)
      return try pool.with(deadline: limit) { connection in
        defer { connection.deadline = nil }
        guard let call = StoreCall.current, call.isBounded else { return try body(connection) }
        connection.deadline = call.deadline
        let number = call.onEnd { _ in connection.cancel() }
        defer { call.forget(number) }
        return try body(connection)
      }
    }

    func close() {
      pool.close()
      spare.close()
    }
  }

  /// What changes of a store are written through: its connections, or a transaction of many saves.
  protocol PostgreSQLWriteTarget: AnyObject {
    /// Has something written: all of it, or nothing.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value

    /// Called when changes have been written that others are to be told of, once they are kept.
    func changesWereMade(in engine: PostgreSQLStore.Engine)
  }
#endif
