#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import Logging
  import PostgreSQLDriver

  /// Deletes transactions of the history that are older than a store's option allows: after some of the commits,
  /// one piece at a time. No save waits for it.
  final class PostgreSQLHistoryLifetime: Sendable {
    /// The time that a piece has.
    private static let patience = Duration.seconds(5)

    private let lifetime: HistoryLifetime
    private let queue = DispatchQueue(label: "CoreData.PostgreSQLHistoryLifetime")

    /// - Returns: `nil` when no option asks for it.
    /// - Throws: an error that names the option, when it is not a number of seconds.
    init?(_ options: [AnyHashable: Any]?, url: URL) throws {
      guard let lifetime = try HistoryLifetime(options, of: url.absoluteString, at: url) else { return nil }
      self.lifetime = lifetime
    }

    /// Called when a commit has added a transaction to the history.
    ///
    /// An error is logged, and the deletion is retried later: the commit has succeeded.
    func historyGrew(_ engine: PostgreSQLStore.Engine) {
      if !lifetime.isDue() { return }
      queue.async { [lifetime] in
        do {
          let date = lifetime.date
          // Closing the store waits for this call.
          let call = StoreCall(deadline: .now + Self.patience, isBounded: true)
          let count = try call.run {
            try engine.connections.write(checkedBy: engine.guardian) {
              try PostgreSQLHistoryPurge(date: date).deletePiece($0)
            }
          }
          if count > 0 { lifetime.hasMore() }
        } catch {
          let failure = PostgreSQLFailure.error(error, store: engine.url, doing: "Old history could not be deleted")
          // A new logger each time, so that a program that has set up its logging gets its own.
          Logger(label: "CoreData").warning("\(failure.localizedDescription)")
        }
      }
    }

    /// Waits until a piece that is being deleted is.
    func wait() { queue.sync {} }
  }

  /// Deletes the oldest transactions of a store's history, some at a time.
  ///
  /// It stops at the first transaction that is young enough, even if a clock that was set back has given a later one an
  /// older date: what is left has no gap, so that ``HistoryExtent`` tells which tokens still lead to all changes.
  struct PostgreSQLHistoryPurge {
    /// The most transactions of a piece.
    private static let transactionsPerPiece: Int64 = 100
    /// The number of changes of a piece, unless one transaction has more.
    private static let changesPerPiece: Int64 = 1000

    /// Transactions before it are deleted.
    let date: Date

    /// Deletes some of the oldest transactions, with their changes.
    ///
    /// - Returns: the number of the transactions.
    func deletePiece(_ connection: PostgreSQLConnection) throws -> Int {
      let oldest = try connection.run(
        """
        SELECT number, timestamp, first_change FROM perennial_transaction \
        ORDER BY number LIMIT $1::bigint FOR UPDATE
        """,
        values: [.integer(Self.transactionsPerPiece)],
        isCached: true
      )
      var last: Int64?
      var count = 0
      for row in 0..<oldest.rowCount {
        guard let number = oldest.integer(row, column: 0), let time = oldest.real(row, column: 1),
          let change = oldest.integer(row, column: 2), let first = oldest.integer(0, column: 2),
          time < date.timeIntervalSinceReferenceDate,
          row == 0 || change.subtractingReportingOverflow(first).partialValue < Self.changesPerPiece
        else { break }
        (last, count) = (number, count + 1)
      }
      guard let last else { return 0 }
      try connection.run(
        """
        DELETE FROM perennial_change WHERE key IN \
        (SELECT t.key FROM perennial_transaction t WHERE t.number <= $1::bigint)
        """,
        values: [.integer(last)],
        isCached: true
      )
      try connection.run(
        "DELETE FROM perennial_transaction WHERE number <= $1::bigint",
        values: [.integer(last)],
        isCached: true
      )
      return count
    }
  }
#endif
