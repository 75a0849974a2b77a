#if PostgreSQL
  import CoreData
  import Dispatch
  import PostgreSQLDriver

  /// The lock of a store in its database: writing transactions share it, and a migration holds it exclusively.
  ///
  /// It is an advisory lock of the transaction, which is not stored in any row. If many transactions shared a lock of
  /// the row of `perennial_metadata`, each of them would need a multixact, whose number is bounded in a database:
  /// <https://www.postgresql.org/docs/current/routine-vacuuming.html#VACUUM-FOR-MULTIXACT-WRAPAROUND>.
  ///
  /// The number of the lock is computed from the schema's name, which identifies a store in its database also while
  /// another store replaces it. Migrations by earlier versions of the library took an exclusive lock with the same
  /// number, so that they and saves exclude each other. Saves by earlier versions lock the row, as migrations by all
  /// versions do.
  struct PostgreSQLStoreLock: Sendable {
    private let name: String

    init(_ address: PostgreSQLAddress) { name = "perennial \(address.schema)" }

    /// The statement by which a transaction shares the lock; `nil` where the server has no advisory locks.
    func shared(_ capabilities: PostgreSQLCapabilities) -> PostgreSQLStatement? {
      capabilities[.advisoryLocks] ? statement("pg_advisory_xact_lock_shared") : nil
    }

    /// The time, in milliseconds, for which a transaction waits for the exclusive lock. Saves that begin during this
    /// time wait for it, even if it waits for a long transaction.
    private static let wait = 500
    /// The pause between two waits, in which saves can begin.
    private static let pause = Duration.milliseconds(500)

    /// Makes a transaction hold the lock exclusively until it ends; without effect where the server has no advisory
    /// locks.
    ///
    /// - Parameter limit: the time until which it waits for transactions that share the lock.
    /// - Throws: the error of a lock timeout when they have not ended by then.
    func takeAlone(
      _ connection: PostgreSQLConnection,
      capabilities: PostgreSQLCapabilities,
      until limit: ContinuousClock.Instant
    ) throws {
      guard capabilities[.advisoryLocks] else { return }
      while true {
        let left = (limit - .now) / Duration.milliseconds(1)
        do {
          _ = try connection.run([
            PostgreSQLStatement(sql: "SAVEPOINT waiting"),
            PostgreSQLStatement(sql: "SET LOCAL lock_timeout TO \(max(1, min(Self.wait, Int(left))))"),
            statement("pg_advisory_xact_lock"),
            PostgreSQLStatement(sql: "RELEASE SAVEPOINT waiting"),
          ])
          return
        } catch let error as PostgreSQLError where error.isLockTimeout && limit > .now {
          _ = try connection.run([
            PostgreSQLStatement(sql: "ROLLBACK TO SAVEPOINT waiting"),
            PostgreSQLStatement(sql: "RELEASE SAVEPOINT waiting"),
          ])
        }
        let next = min(limit, .now + Self.pause)
        ContextThreads.whileWaiting { _ = DispatchSemaphore(value: 0).wait(timeout: next.dispatchTime) }
      }
    }

    /// The end of a query of the metadata in a writing transaction: it locks the row if the server has no advisory
    /// locks.
    func rowLock(_ capabilities: PostgreSQLCapabilities) -> String {
      capabilities[.advisoryLocks] ? "" : " FOR KEY SHARE"
    }

    private func statement(_ function: String) -> PostgreSQLStatement {
      PostgreSQLStatement(sql: "SELECT \(function)(hashtextextended($1, 0))", values: [.text(name)], isCached: true)
    }
  }
#endif
