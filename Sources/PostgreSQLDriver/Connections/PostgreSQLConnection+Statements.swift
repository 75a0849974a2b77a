#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// Runs a statement.
    ///
    /// - Parameter isCached: true for a statement that is run many times, which is then kept prepared.
    /// - Returns: its rows, in binary form.
    /// - Throws: a ``PostgreSQLError``. The error for a value that cannot be sent is thrown before anything is sent.
    @discardableResult
    package func run(_ sql: String, values: [PostgreSQLValue] = [], isCached: Bool = false) throws -> PostgreSQLResult {
      let statement = PostgreSQLStatement(sql: sql, values: values, isCached: isCached)
      try PostgreSQLArguments.check(statement)
      let isAlone = transaction == .none
      if let enclosure, isAlone { return try enclosure.run([statement], on: self)[0] }
      do {
        return try runOnce(statement)
      } catch let error as PostgreSQLError where isCached && error.isPreparedStatementStale {
        prepared.forget(sql, isUnknown: error.isStatementUnknown)
        guard isAlone, transaction == .none else { throw error }
        return try runOnce(statement)
      }
    }

    /// Runs statements as a transaction of their own, in one round trip. No transaction is open.
    ///
    /// - Returns: the results in the order of the statements.
    package func runAlone(_ statements: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
      if let enclosure { return try enclosure.run(statements, on: self) }
      do {
        return try run(statements)
      } catch var error as PostgreSQLError {
        error.statementIndex = nil
        throw error
      }
    }

    /// Begins a transaction with its ``settings``, in one round trip.
    ///
    /// - Parameters:
    ///   - sql: such as `BEGIN ISOLATION LEVEL REPEATABLE READ`.
    ///   - statements: the first statements of the transaction, which are sent together with the BEGIN.
    /// - Returns: the results of these statements.
    @discardableResult
    package func begin(_ sql: String, statements: [PostgreSQLStatement] = []) throws -> [PostgreSQLResult] {
      Array(try run([PostgreSQLStatement(sql: sql)] + settings + statements).suffix(statements.count))
    }

    /// Runs statements without bindings in one message, as one transaction unless they contain
    /// transactions of their own.
    ///
    /// - Throws: a ``PostgreSQLError`` for the first statement that fails; those after it are not run.
    package func runScript(_ sql: String) throws {
      let script = PostgreSQLStatement(sql: sql)
      try PostgreSQLArguments.check(script)
      _ = try telling(script) {
        try exchanging { exchange in
          try exchange.require(PQsendQuery(exchange.handle, sql))
          try exchange.flush()
          return try exchange.lastResult()
        }
      }
    }

    private func runOnce(_ statement: PostgreSQLStatement) throws -> PostgreSQLResult {
      let name = statement.isCached && preparesStatements ? try nameOfPrepared(statement.sql) : nil
      return try telling(statement) {
        try exchanging { exchange in
          try exchange.require(
            Self.send(
              statement,
              arguments: PostgreSQLArguments(statement.values),
              name: name,
              handle: exchange.handle
            )
          )
          try exchange.flush()
          return try exchange.lastResult()
        }
      }
    }

    /// Sends a statement, by its name if it is prepared.
    ///
    /// - Returns: 1, unless libpq could not take it.
    static func send(
      _ statement: PostgreSQLStatement,
      arguments: PostgreSQLArguments,
      name: String?,
      handle: OpaquePointer
    ) -> Int32 {
      arguments.withPointers { count, places, lengths, formats in
        if let name { return PQsendQueryPrepared(handle, name, count, places, lengths, formats, 1) }
        return PQsendQueryParams(handle, statement.sql, count, nil, places, lengths, formats, 1)
      }
    }

    private func nameOfPrepared(_ sql: String) throws -> String {
      if let name = prepared.name(of: sql) { return name }
      try makeRoomForPrepared(1)
      let name = prepared.newName()
      try exchanging { exchange in
        try exchange.require(PQsendPrepare(exchange.handle, name, sql, 0, nil))
        try exchange.flush()
        _ = try exchange.lastResult()
      }
      prepared.add(sql, name: name)
      return name
    }

    /// Deallocates statements on the server if there are too many. A failed transaction neither
    /// deallocates nor prepares statements.
    func makeRoomForPrepared(_ count: Int) throws {
      prepared.makeRoom(for: count)
      guard transaction != .failed, let cleaning = prepared.cleaning else { return }
      try runScript(cleaning)
      prepared.cleaned()
    }

    /// Does one exchange with the server, in which all is read that it sends.
    ///
    /// - Throws: what the body throws; an error whose ``PostgreSQLError/isUnreplicated`` is true when a transaction was
    ///   committed in it without the standby that the server waits for.
    func exchanging<Value>(_ body: (inout PostgreSQLExchange) throws -> Value) throws -> Value {
      guard let handle else { throw PostgreSQLError.isClosed }
      if let deadline, deadline <= .now { throw PostgreSQLError.isLate }
      var exchange = PostgreSQLExchange(handle: handle, canceller: canceller, deadline: deadline)
      try canceller.begin()
      // A lost connection has no next statement, so there is no cancel request to wait for.
      defer { exchange.isBroken ? close() : canceller.end() }
      notices.isUnreplicated = false
      let value = try body(&exchange)
      if notices.isUnreplicated { throw PostgreSQLError.unreplicated }
      return value
    }
  }

  extension PostgreSQLError {
    /// True when the server does not know a statement by its name.
    var isStatementUnknown: Bool { state == "26000" }
  }
#endif
