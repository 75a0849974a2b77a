#if PostgreSQL
  import CPostgreSQL

  extension PostgreSQLConnection {
    /// A statement of a batch, and how it is sent.
    private struct Step {
      let statement: PostgreSQLStatement
      /// The name of the prepared statement; `nil` if it is not prepared.
      let name: String?
      /// True when this batch prepares it.
      let isNew: Bool
    }

    /// The number of different statements that one batch prepares.
    private static let mostPrepared = 100
    /// The commands that a batch may have run before it is repeated: the server undoes their effects when an
    /// error occurs.
    private static let undone: Set = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "SET"]

    /// Runs statements that go to the server together, without waiting for one before the next: libpq's pipeline mode.
    ///
    /// They are one transaction where none is open and they begin none. After an error the server passes over the rest.
    ///
    /// - Returns: the results in the order of the statements.
    /// - Throws: the first ``PostgreSQLError`` with the statement's index, after all results have been read.
    ///   An error of the commit at the end has no index.
    package func run(_ batch: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
      for (index, statement) in batch.enumerated() {
        do {
          try PostgreSQLArguments.check(statement)
        } catch var error as PostgreSQLError {
          error.statementIndex = index
          throw error
        }
      }
      if batch.isEmpty { return [] }
      let isAlone = transaction == .none
      let (results, failure) = try runOnce(batch)
      guard let failure else { return results }
      guard failure.isPreparedStatementStale, let index = failure.statementIndex, batch[index].isCached else {
        throw failure
      }
      prepared.forget(batch[index].sql, isUnknown: failure.isStatementUnknown)
      let canRepeat =
        isAlone && transaction == .none && results.allSatisfy { Self.undone.contains($0.command) }
      guard canRepeat else { throw failure }
      let (repeated, nextFailure) = try runOnce(batch)
      if let nextFailure { throw nextFailure }
      return repeated
    }

    /// - Returns: the results until the first error, and the error.
    private func runOnce(
      _ batch: [PostgreSQLStatement]
    ) throws -> (results: [PostgreSQLResult], failure: PostgreSQLError?) {
      let steps = try plan(batch)
      let start = ContinuousClock.now
      let answer: (results: [PostgreSQLResult], failure: PostgreSQLError?) = try exchanging { exchange in
        try exchange.require(PQenterPipelineMode(exchange.handle))
        try Self.send(steps, exchange: &exchange)
        let answer = try read(steps, exchange: &exchange)
        try exchange.require(PQexitPipelineMode(exchange.handle))
        return answer
      }
      tell(of: batch, results: answer.results, since: start)
      return answer
    }

    private func plan(_ batch: [PostgreSQLStatement]) throws -> [Step] {
      guard preparesStatements else { return batch.map { Step(statement: $0, name: nil, isNew: false) } }
      var names: [String: String] = [:]
      var new: Set<String> = []
      for statement in batch where statement.isCached && names.count + new.count < Self.mostPrepared {
        if let name = prepared.name(of: statement.sql) {
          names[statement.sql] = name
        } else {
          new.insert(statement.sql)
        }
      }
      if !new.isEmpty { try makeRoomForPrepared(new.count) }
      return batch.map { statement in
        guard statement.isCached else { return Step(statement: statement, name: nil, isNew: false) }
        let isNew = new.remove(statement.sql) != nil
        if isNew { names[statement.sql] = prepared.newName() }
        return Step(statement: statement, name: names[statement.sql], isNew: isNew)
      }
    }

    private static func send(_ steps: [Step], exchange: inout PostgreSQLExchange) throws {
      for step in steps {
        if step.isNew, let name = step.name {
          try exchange.require(PQsendPrepare(exchange.handle, name, step.statement.sql, 0, nil))
        }
        let arguments = PostgreSQLArguments(step.statement.values)
        try exchange.require(send(step.statement, arguments: arguments, name: step.name, handle: exchange.handle))
        try exchange.flush(after: arguments.byteCount + step.statement.sql.utf8.count)
      }
      try exchange.require(PQpipelineSync(exchange.handle))
      try exchange.flush()
    }

    private func read(
      _ steps: [Step],
      exchange: inout PostgreSQLExchange
    ) throws -> (results: [PostgreSQLResult], failure: PostgreSQLError?) {
      var results: [PostgreSQLResult] = []
      var failure: PostgreSQLError?
      for (index, step) in steps.enumerated() {
        if step.isNew, let name = step.name {
          let outcome = try exchange.outcome()
          if outcome.last != nil { prepared.add(step.statement.sql, name: name) }
          failure = failure ?? outcome.failure?.ofStatement(index)
        }
        let outcome = try exchange.outcome()
        failure = failure ?? outcome.failure?.ofStatement(index)
        if failure == nil, let last = outcome.last { results.append(last) }
      }
      let last = try Self.readEnd(&exchange)
      return (results, failure ?? last)
    }

    /// Reads the end of a batch.
    ///
    /// - Returns: the error of the commit that it leads to, as of a constraint that was deferred.
    private static func readEnd(_ exchange: inout PostgreSQLExchange) throws -> PostgreSQLError? {
      var failure: PostgreSQLError?
      while true {
        guard let result = try exchange.nextResult() else {
          // The end of the failed statement's results. Without a failure, no results can end here.
          if failure == nil { throw exchange.lost() }
          continue
        }
        if PQresultStatus(result.raw) == PGRES_PIPELINE_SYNC { return failure }
        failure = failure ?? result.error(isExpired: exchange.isExpired)
      }
    }
  }

  extension PostgreSQLError {
    fileprivate func ofStatement(_ index: Int) -> PostgreSQLError {
      var error = self
      error.statementIndex = index
      return error
    }
  }
#endif
