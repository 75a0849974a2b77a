#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLConnections {
    /// Runs a transaction that writes: it is committed completely or not at all.
    ///
    /// - Parameter body: it is repeated after a failure, and also if the connection is lost during the commit.
    ///   In that case it finds its own changes.
    func write<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
      try work.during(.write) {
        try retrying(.write) {
          try with(pool, kind: .write) { connection in
            try ending(connection) {
              try connection.begin(Self.beginning)
              let value = try body(connection)
              try commit(connection)
              return value
            }
          }
        }
      }
    }

    /// Runs a transaction that writes the store that it was opened as.
    ///
    /// A failure before the call of the body leads to a retry. If the connection is lost during a commit, the
    /// outcome is queried.
    ///
    /// - Parameter body: is called once.
    /// - Throws: a `PostgreSQLError` when the transaction was not committed, and another error when its outcome
    ///   is unknown.
    func write<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      try work.during(.write) {
        var attempt = Attempt<Value>()
        do {
          return try retrying(.write) {
            !attempt.hasBegun
          } _: {
            try with(pool, kind: .write) { try write($0, guardian: guardian, attempt: &attempt, body) }
          }
        } catch let error as PostgreSQLError where error.isConnectionLost {
          // After the loss of the connection, only the server knows whether the transaction was committed.
          guard let mark = attempt.mark else { throw error }
          guard case .some(let value) = attempt.value else {
            // If the connection is half open, its session may still hold locks that the next attempt needs.
            outcomes.sessionWasLost(mark)
            throw error
          }
          guard try outcomes.wasCommitted(mark, connections: self) else { throw error }
          return wasCommitted(mark, value: value)
        }
      }
    }

    /// Begins a transaction as one that writes the store, and takes it back.
    func rehearse<Value>(
      checkedBy guardian: PostgreSQLSchemaGuard,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      try work.during(.write) {
        try retrying(.write) {
          try with(pool, kind: .write) { connection in
            try ending(connection) {
              let statements = guardian.locking(capabilities) + [guardian.question(capabilities)]
              let answer = try connection.begin(Self.beginning, statements: statements)[statements.count - 1]
              try guardian.check(answer, on: connection)
              let value = try body(connection)
              try connection.run("ROLLBACK")
              return value
            }
          }
        }
      }
    }

    /// What is known of a transaction on its way.
    private struct Attempt<Value> {
      /// True when the body was called.
      var hasBegun = false
      /// The result of the body; `nil` before the commit is requested.
      var value: Value?
      var mark: PostgreSQLOutcomes.Mark?
    }

    private func write<Value>(
      _ connection: PostgreSQLConnection,
      guardian: PostgreSQLSchemaGuard,
      attempt: inout Attempt<Value>,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      let key = outcomes.newKey()
      do {
        return try ending(connection) {
          try outcomes.endLostSessions(connection)
          // The lock comes first, so that a transaction that waits for it holds no lock that a migration needs.
          let statements =
            Self.lockLimit + guardian.locking(capabilities)
            + [outcomes.statement(for: key), guardian.question(capabilities)]
          let answer = try connection.begin(Self.beginning, statements: statements)[statements.count - 1]
          try guardian.check(answer, on: connection)
          let mark = PostgreSQLOutcomes.Mark(key: key, answer: answer)
          attempt.mark = mark
          attempt.hasBegun = true
          let value = try body(connection)
          attempt.value = value
          try commit(connection)
          return wasCommitted(mark, value: value)
        }
      } catch {
        outcomes.wasNotCommitted(key)
        if let error = error as? PostgreSQLError, error.isLockTimeout { _ = StoreCall.current?.refuseLock() }
        throw error
      }
    }

    /// The statement that shortens the waits for locks, for a call that refuses locks. The server has no limit of zero,
    /// and a limit of a millisecond would refuse locks that other transactions hold for a moment only.
    private static var lockLimit: [PostgreSQLStatement] {
      if StoreCall.current?.refusesLocks != true { return [] }
      return [PostgreSQLStatement(sql: "SET LOCAL lock_timeout TO 100")]
    }

    /// Begins a transaction that writes. Each of its statements sees the commits before the statement, whatever
    /// the default of the role or the database is: reads after the wait for a lock are therefore not older than
    /// the lock (<https://www.postgresql.org/docs/current/transaction-iso.html>).
    private static let beginning = "BEGIN ISOLATION LEVEL READ COMMITTED"

    /// - Throws: an error if the server has rolled the transaction back instead.
    private func commit(_ connection: PostgreSQLConnection) throws {
      let result = try connection.run("COMMIT")
      if result.command == "COMMIT" { return }
      throw StoreFailure.error(
        NSPersistentStoreSaveError,
        message:
          "\(address.description): the server has taken the transaction back, and nothing was saved; save again."
      )
    }

    private func wasCommitted<Value>(_ mark: PostgreSQLOutcomes.Mark, value: Value) -> Value {
      outcomes.wasCommitted(mark)
      monitoring.monitor?.committed()
      return value
    }
  }

  extension PostgreSQLWriteTarget {
    func change<Value>(
      _ store: PostgreSQLStore,
      origin: ChangeOrigin,
      canRepeat: () -> Bool,
      _ body: (PostgreSQLWriteSession) throws -> Value
    ) throws -> Value {
      try repeating(canRepeat: canRepeat) {
        try PostgreSQLWriteSession.run(in: store, through: self, origin: origin, body)
      }
    }

    /// Repeats a write that fails before it is committed, until the store's timeout is over. In a transaction
    /// of many saves, only the whole transaction could be repeated.
    ///
    /// - Parameter canRepeat: false when the work cannot be repeated.
    func repeating<Value>(canRepeat: () -> Bool = { true }, _ work: () throws -> Value) throws -> Value {
      guard let connections = self as? PostgreSQLConnections else { return try work() }
      return try connections.retrying(.write, canRepeat: canRepeat, work)
    }
  }
#endif
