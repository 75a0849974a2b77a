#if PostgreSQL
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// Finds out what became of transactions whose connection was lost while they were committed.
  ///
  /// The server is asked by the number of the transaction. Where it cannot tell, a transaction has a row with
  /// a key of its own in `perennial_outcome`, which goes with the next transaction of the same store.
  final class PostgreSQLOutcomes: Sendable {
    /// What a transaction is asked for by.
    struct Mark: Sendable {
      let key: String?
      let number: String?
      /// The line of the server's log, which changes when another server takes over: numbers may have come
      /// twice then.
      let line: String?

      /// - Parameter answer: that to the guardian's statement.
      init(key: String?, _ answer: PostgreSQLResult) {
        self.key = key
        number = answer.text(0, 0)
        line = answer.text(0, 2)
      }
    }

    private struct State {
      /// The keys of committed transactions, whose rows nobody needs any more.
      var spent: [String] = []
      /// The keys whose rows go with a transaction that is not committed yet, by its key.
      var leaving: [String: [String]] = [:]
      var hasCleaned = false
    }

    private let state = Mutex(State())
    private static let mostSpent = 100

    /// Rows of programs that have ended are removed after a day.
    static let creationStatement = """
      CREATE TABLE perennial_outcome (key uuid PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())
      """

    // MARK: - Keys

    /// A key for the next transaction.
    func newKey(_ connections: PostgreSQLConnections) throws -> String {
      let isFirst = state.withLock { state in
        defer { state.hasCleaned = true }
        return !state.hasCleaned
      }
      if isFirst {
        _ = try? connections.runAlone(
          SQLStatement(sql: "DELETE FROM perennial_outcome WHERE made < now() - interval '1 day'")
        )
      }
      return UUID().uuidString.lowercased()
    }

    /// The statement that writes the row of a transaction, and removes those of others before it.
    func statement(for key: String) -> PostgreSQLStatement {
      let spent = state.withLock { state in
        let spent = Array(state.spent.prefix(Self.mostSpent))
        state.spent.removeFirst(spent.count)
        state.leaving[key] = spent
        return spent
      }
      return PostgreSQLStatement(
        """
        WITH spent AS (DELETE FROM perennial_outcome WHERE key = ANY ($2::uuid[])) \
        INSERT INTO perennial_outcome (key) VALUES ($1::uuid)
        """,
        [.text(key), .text("{\(spent.joined(separator: ","))}")],
        isCached: true
      )
    }

    func wasCommitted(_ mark: Mark) {
      guard let key = mark.key else { return }
      state.withLock { state in
        state.leaving[key] = nil
        state.spent.append(key)
      }
    }

    /// Called as well where it is not known yet: rows that are gone are removed once more.
    func wasNotCommitted(_ key: String) {
      state.withLock { state in
        guard let others = state.leaving.removeValue(forKey: key) else { return }
        state.spent += others
      }
    }

    // MARK: - Asking

    /// True when the server has kept a transaction.
    ///
    /// - Throws: an error where the server cannot be reached in time, or does not know.
    func wasCommitted(_ mark: Mark, _ connections: PostgreSQLConnections) throws -> Bool {
      let timeout = max(connections.timeout, Self.leastTime)
      var patience = PostgreSQLPatience(connections.work, .read, timeout: timeout)
      while true {
        var failure: any Error = PostgreSQLFailure.unknownOutcome(connections.address, .unanswered)
        do {
          let isKept = try connections.with(connections.pool, .read) { connection in
            connection.deadline = .now + .seconds(Self.leastTime)
            return try mark.key.map { try wasCommitted($0, connection) }
              ?? wasCommitted(mark, connection, connections.address)
          }
          if let isKept { return isKept }
        } catch let error as PostgreSQLError {
          guard connections.isPassing(error) || error.isTimeout || error.isLockTimeout else { throw failure }
          failure = PostgreSQLFailure.unknownOutcome(connections.address, .unreachable, error)
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

    /// Writes the row of a transaction, for which the server waits until that has ended: it is not there
    /// when the transaction was not committed, and cannot be any more.
    private func wasCommitted(_ key: String, _ connection: PostgreSQLConnection) throws -> Bool {
      let result = try connection.run(
        "INSERT INTO perennial_outcome (key) VALUES ($1::uuid) ON CONFLICT DO NOTHING",
        [.text(key)]
      )
      state.withLock { $0.spent.append(key) }
      return result.changedCount == 0
    }

    /// - Returns: `nil` as long as the transaction goes on.
    private func wasCommitted(
      _ mark: Mark,
      _ connection: PostgreSQLConnection,
      _ address: PostgreSQLAddress
    ) throws -> Bool? {
      let number: [PostgreSQLValue] = [mark.number.map(PostgreSQLValue.text) ?? .null]
      let result = try connection.run(
        """
        SELECT pg_xact_status($1::xid8), left(pg_walfile_name(pg_current_wal_lsn()), 8)
        """,
        number
      )
      guard result.text(0, 1) == mark.line else { throw PostgreSQLFailure.unknownOutcome(address, .replaced) }
      switch result.text(0, 0) {
      case "committed": return true
      case "aborted": return false
      case "in progress":
        // The server may not notice for long that nobody is there any more.
        try connection.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = ($1::xid8)::xid",
          number
        )
        return nil
      default: throw PostgreSQLFailure.unknownOutcome(address, .forgotten)
      }
    }
  }
#endif
