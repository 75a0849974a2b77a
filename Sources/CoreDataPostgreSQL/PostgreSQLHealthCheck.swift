#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Checks the health of an open store: whether the server answers and allows writes, and whether the store
  /// still has its tables.
  struct PostgreSQLHealthCheck {
    let store: PostgreSQLStore
    let engine: PostgreSQLStore.Engine
    let limits: StoreHealthLimits
    private var name: String { store.place.absoluteString }

    /// The number of a history's transactions, and the date of the first.
    private struct HistoryLength: Sendable {
      let count: Int
      let oldest: Date?
    }

    /// - Parameter deadline: the time by which the server must have answered, and other writers must have finished.
    /// - Throws: `CancellationError` when the task is cancelled.
    nonisolated(nonsending) func run(until deadline: ContinuousClock.Instant) async throws -> StoreHealth {
      var health = StoreHealth()
      health.activity = engine.activity
      do {
        let length = try await StoreCall.bounded(by: deadline) { call in
          try await withTaskExecutorPreference(ContextThreads.shared) {
            try call.run { try store.reading("The store cannot be used") { try look() } }
          }
        }
        if let length { judge(length, health: &health) }
      } catch let error as CancellationError {
        throw error
      } catch {
        health.add(kind(of: error), description: error.localizedDescription)
      }
      return health
    }

    private func look() throws -> HistoryLength? {
      if store.isReadOnly { return try engine.connections.read(checkedBy: engine.guardian, historyLength) }
      // The store is locked as for a save, but nothing is written.
      return try engine.connections.rehearse(checkedBy: engine.guardian, historyLength)
    }

    /// Both ends are found at once, however many transactions there are between them.
    private func historyLength(_ connection: PostgreSQLConnection) throws -> HistoryLength? {
      if !engine.hasHistory { return nil }
      let result = try connection.run(
        """
        SELECT number, timestamp, (SELECT max(number) FROM perennial_transaction) FROM perennial_transaction \
        ORDER BY number LIMIT 1
        """
      )
      guard result.rowCount > 0, let first = result.integer(0, column: 0),
        let last = result.integer(0, column: 2)
      else { return HistoryLength(count: 0, oldest: nil) }
      return HistoryLength(
        count: Int(max(0, last - first)) + 1,
        oldest: result.real(0, column: 1).map(Date.init(timeIntervalSinceReferenceDate:))
      )
    }

    private func judge(_ history: HistoryLength, health: inout StoreHealth) {
      health.historyTransactionCount = history.count
      health.oldestTransactionDate = history.oldest
      guard let limit = limits.historyTransactionCount, history.count > limit else { return }
      health.add(
        .longHistory,
        description: """
          The history of \(name) has \(history.count) transactions, of \(limit) at most; delete old ones, by \
          NSPersistentHistoryChangeRequest.deleteHistory(before:).
          """
      )
    }

    private func kind(of error: any Error) -> StoreHealth.Problem.Kind {
      if (try? store.engine()) !== engine { return .closed }
      return switch (error as NSError).code {
      case NSPersistentStoreTimeoutError: .busy
      case NSPersistentStoreIncompatibleSchemaError: .incompatible
      default: .failing
      }
    }
  }
#endif
