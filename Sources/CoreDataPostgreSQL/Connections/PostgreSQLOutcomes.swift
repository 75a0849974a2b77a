#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// Finds out what became of transactions whose connection was lost while they were committed.
  ///
  /// Each transaction has a row with its own key in `perennial_outcome`, which the next transaction of the same store
  /// deletes. `pg_xact_status` is not sufficient: after a crash or a failover, the server may assign the numbers of lost
  /// transactions again.
  final class PostgreSQLOutcomes: Sendable {
    /// The data that identifies a transaction.
    struct Mark: Sendable {
      let key: String
      /// Its number, and the time at which it began; `nil` where the server does not show them.
      let number, time: String?

      /// - Parameter answer: that to the guardian's statement.
      init(key: String, answer: PostgreSQLResult) {
        self.key = key
        number = answer.text(0, column: 0)
        time = answer.text(0, column: 2)
      }
    }

    private struct State {
      /// The keys of committed transactions, whose rows are not needed any more.
      var spent: [String] = []
      /// The keys whose rows go with a transaction that is not committed yet, by its key.
      var leaving: [String: [String]] = [:]
      /// The transactions whose connection was lost before their commit was requested. Their server processes hold locks
      /// until the server notices the lost connection.
      var lost: [Mark] = []
    }

    private let state = Mutex(State())
    private static let mostSpent = 100

    static let creationStatement = """
      CREATE TABLE perennial_outcome (key uuid PRIMARY KEY, is_kept boolean NOT NULL, \
      made timestamptz NOT NULL DEFAULT now())
      """

    /// Removes the rows of programs that have ended a day ago or before.
    static let removalOfOldRows = PostgreSQLStatement(
      sql: "DELETE FROM perennial_outcome WHERE made < now() - interval '1 day'"
    )

    // MARK: - Keys

    /// A key for the next transaction.
    func newKey() -> String { UUID().uuidString.lowercased() }

    /// The statement that inserts the row of a transaction, and deletes those of earlier transactions.
    func statement(for key: String) -> PostgreSQLStatement {
      let spent = state.withLock { state in
        let spent = Array(state.spent.prefix(Self.mostSpent))
        state.spent.removeFirst(spent.count)
        state.leaving[key] = spent
        return spent
      }
      return PostgreSQLStatement(
        sql: """
          WITH spent AS (DELETE FROM perennial_outcome WHERE key = ANY ($2::uuid[])) \
          INSERT INTO perennial_outcome (key, is_kept) VALUES ($1::uuid, true)
          """,
        values: [.text(key), .text("{\(spent.joined(separator: ","))}")],
        isCached: true
      )
    }

    /// The statement that inserts the row of a transaction that creates the store.
    static func insertion(of key: String) -> SQLStatement {
      SQLStatement(sql: "INSERT INTO perennial_outcome (key, is_kept) VALUES ($1::uuid, true)", bindings: [.text(key)])
    }

    /// True when a transaction that creates the store was committed. The store may not exist.
    static func isKept(_ key: String, connection: PostgreSQLConnection) throws -> Bool {
      let table = try connection.run("SELECT to_regclass('perennial_outcome') IS NOT NULL")
      guard table.integer(0, column: 0) == 1 else { return false }
      // The row is written again, so that this transaction waits for a standby server as the one before does.
      let sql = "UPDATE perennial_outcome SET is_kept = true WHERE key = $1::uuid AND is_kept"
      return try connection.run(sql, values: [.text(key)]).changedCount > 0
    }

    func wasCommitted(_ mark: Mark) {
      state.withLock { state in
        state.leaving[mark.key] = nil
        state.spent.append(mark.key)
      }
    }

    /// Also called while the outcome is unknown: deleting the rows twice does no harm.
    func wasNotCommitted(_ key: String) {
      state.withLock { state in
        guard let others = state.leaving.removeValue(forKey: key) else { return }
        state.spent += others
      }
    }

    // MARK: - Lost sessions

    /// Called when the connection of a transaction was lost before its end was asked for.
    func sessionWasLost(_ mark: Mark) {
      if mark.number != nil, mark.time != nil { state.withLock { $0.lost.append(mark) } }
    }

    /// Ends the sessions of lost transactions, so that the next transaction does not wait for their locks. Each entry is
    /// dropped once the server has answered.
    func endLostSessions(_ connection: PostgreSQLConnection) throws {
      for mark in state.withLock({ $0.lost }) {
        try Self.endSession(of: mark, connection: connection)
        state.withLock { state in state.lost.removeAll { $0.key == mark.key } }
      }
    }

    /// Ends the server process of a transaction, by a statement outside of any transaction. Nothing is done if the server
    /// does not show its transactions, or does not allow the role to end processes. The server then notices the lost
    /// connection later.
    private static func endSession(of mark: Mark, connection: PostgreSQLConnection) throws {
      guard let number = mark.number, let time = mark.time else { return }
      do {
        try connection.run(
          """
          SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity \
          WHERE backend_xid = ($1::xid8)::xid AND extract(epoch FROM xact_start)::text = $2 \
          AND pg_catalog.pg_has_role(usesysid, 'MEMBER')
          """,
          values: [.text(number), .text(time)]
        )
      } catch let error as PostgreSQLError where ["42", "0A"].contains(error.state.prefix(2)) {}
    }

    // MARK: - Asking

    /// True when the server has kept a transaction.
    ///
    /// - Throws: an error where the server does not answer in time.
    func wasCommitted(_ mark: Mark, connections: PostgreSQLConnections) throws -> Bool {
      // A caller that has cancelled its save still needs to know whether it was committed.
      try StoreCall().run { try ask(mark, connections: connections) }
    }

    private func ask(_ mark: Mark, connections: PostgreSQLConnections) throws -> Bool {
      let timeout = max(connections.timeout, Self.leastTime)
      var patience = PostgreSQLRetryBackoff(work: connections.work, kind: .read, timeout: timeout)
      while true {
        let failure: any Error
        do {
          return try connections.with(connections.pool, kind: .read) { connection in
            connection.deadline = .now + .seconds(Self.leastTime)
            return try wasCommitted(mark, connection: connection, in: connections.name(of: "perennial_outcome"))
          }
        } catch let error as PostgreSQLError {
          failure = PostgreSQLFailure.unknownOutcome(connections.address, cause: error)
          guard connections.isPassing(error) || error.isTimeout || error.isLockTimeout || error.isUnreplicated else {
            throw failure
          }
        } catch {
          throw PostgreSQLFailure.unknownOutcome(connections.address, cause: error)
        }
        do {
          try patience.wait(after: failure)
        } catch {
          throw failure
        }
      }
    }

    /// The time, in seconds, for which it is asked at least: also by a call whose time is over.
    private static let leastTime: TimeInterval = 5

    /// Inserts the row of the transaction, marked as not committed. The server waits for the end of the transaction: if
    /// it was committed, the row exists already; otherwise the insertion ensures that it can no longer be committed. A row
    /// that exists is kept, and written again: a server with a standby waits for it at the end of this statement too, and
    /// the standby then has the transaction as well. The answer is the row's, because the answer to an earlier query may have
    /// been lost as well.
    ///
    /// - Parameter table: the table of these rows, with its schema: the statement is a transaction.
    private func wasCommitted(_ mark: Mark, connection: PostgreSQLConnection, in table: String) throws -> Bool {
      // The server may take long to notice the lost connection.
      try Self.endSession(of: mark, connection: connection)
      let result = try connection.run(
        """
        INSERT INTO \(table) AS known (key, is_kept) VALUES ($1::uuid, false) \
        ON CONFLICT (key) DO UPDATE SET is_kept = known.is_kept RETURNING is_kept
        """,
        values: [.text(mark.key)]
      )
      state.withLock { $0.spent.append(mark.key) }
      return result.rowCount > 0 && result.integer(0, column: 0) == 1
    }
  }
#endif
