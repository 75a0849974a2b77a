import CSystemSQLite
import Files
import Foundation
import SQLiteDriver

/// Looks whether an open store can do its work.
struct SQLiteHealthCheck {
  let engine: SQLiteStore.Engine
  let limits: StoreHealthLimits
  /// True while the store is open as it was when the look began.
  let isOpen: () -> Bool
  private var connections: SQLiteConnections { engine.connections }
  private var path: String { engine.file.path }

  /// - Parameter deadline: the time by which other writers must have finished.
  /// - Throws: `CancellationError` when the task is cancelled.
  nonisolated(nonsending) func run(until deadline: ContinuousClock.Instant) async throws -> StoreHealth {
    var health = StoreHealth()
    lookAtDisk(&health)
    lookAtLog(&health)
    do {
      let length = try await StoreCall.bounded(by: deadline) { call -> HistoryLength? in
        try await withTaskExecutorPreference(ContextThreads.shared) { try await measureHistory(call) }
      }
      look(at: length, health: &health)
    } catch let error as CancellationError {
      throw error
    } catch {
      add(error, health: &health)
    }
    return health
  }

  // MARK: - The store

  /// The numbers of the history, read with the write lock where the store can be written. A caller
  /// that gets the lock, and finds the file and the model that the store was opened with, can save.
  private nonisolated(nonsending) func measureHistory(_ call: StoreCall) async throws -> HistoryLength? {
    if connections.isReadOnly { return try call.run { try named { try readHistory() } } }
    do {
      try await connections.writeLock.take(for: call, timeout: connections.timeout)
    } catch {
      throw error is StoreClosing ? error : SQLiteFailure.error(error, file: engine.file, doing: Self.failure)
    }
    defer { connections.writeLock.end(call) }
    return try call.run {
      try named {
        try connections.rehearse { database in
          try engine.guardian?.check(database, engine: engine)
          return try historyLength(database)
        }
      }
    }
  }

  private func readHistory() throws -> HistoryLength? {
    try connections.opened?.requireUsable()
    return try connections.readOnce(checking: engine, historyLength)
  }

  /// Names the store in errors, while the thread still knows whose call it is that has ended.
  private func named<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch {
      throw SQLiteFailure.error(error, file: engine.file, doing: Self.failure)
    }
  }

  private static let failure = "The store cannot be used"

  /// Both ends of a key are found at once, however many transactions there are between them.
  private func historyLength(_ database: Database) throws -> HistoryLength? {
    if engine.history == nil { return nil }
    let query = SQLStatement(
      sql: """
        SELECT Z_PK, ZTIMESTAMP, (SELECT MAX(Z_PK) FROM ATRANSACTION) FROM ATRANSACTION ORDER BY Z_PK LIMIT 1
        """
    )
    var found = HistoryLength()
    try SQLiteQuery(query, in: database, isCached: true).forEachRow { row in
      let (first, last) = (sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 2))
      // In a damaged file they may be any numbers.
      let (distance, isOverflow) = last.subtractingReportingOverflow(first)
      found.count = isOverflow || distance < 0 ? 1 : Int(clamping: min(distance, .max - 1)) + 1
      found.oldest = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 1))
    }
    return found
  }

  private func look(at history: HistoryLength?, health: inout StoreHealth) {
    guard let history else { return }
    health.historyTransactionCount = history.count
    health.oldestTransactionDate = history.oldest
    guard let limit = limits.historyTransactionCount, history.count > limit else { return }
    health.add(
      .longHistory,
      description: """
        The history of \(path) has \(history.count) transactions, of \(limit) at most; delete old ones, by \
        maintainPersistentStore or StoreHistoryLifetimeOption.
        """
    )
  }

  private func add(_ error: any Error, health: inout StoreHealth) {
    if error is StoreClosing || connections.writeLock.isClosed || !isOpen() {
      return health.add(.closed, description: "The store \(path) was closed.")
    }
    do {
      try connections.opened?.requireUsable()
    } catch {
      return health.add(.replaced, description: error.localizedDescription)
    }
    let kind: StoreHealth.Problem.Kind =
      switch (error as NSError).code {
      case NSPersistentStoreTimeoutError: .busy
      case NSPersistentStoreIncompatibleSchemaError: .incompatible
      default: .failing
      }
    health.add(kind, description: error.localizedDescription)
  }

  // MARK: - What is around it

  /// The number of bytes of some pages in the file and in its log, as the save of one object writes.
  private static let roomForSave: Int64 = 64 << 10

  private func lookAtDisk(_ health: inout StoreHealth) {
    // A database in memory has none.
    guard connections.opened != nil, let disk = try? FileSystemState(resolving: path) else { return }
    let free = disk.availableByteCount
    health.availableByteCount = free
    if connections.isReadOnly { return }
    if disk.isReadOnly { health.add(.failing, description: "The file system of \(path) cannot be written any more.") }
    if free < Self.roomForSave {
      let description = "The disk of \(path) is full, with \(free) bytes left; make room: saves fail."
      return health.add(.failing, description: description)
    }
    guard let limit = limits.availableByteCount, free < limit else { return }
    health.add(
      .lowSpace,
      description:
        "The disk of \(path) has \(free) bytes left, of \(limit) at least; make room, or saves will fail."
    )
  }

  private func lookAtLog(_ health: inout StoreHealth) {
    let activity = engine.activity
    health.activity = activity
    guard let limit = limits.logByteCount, activity.logByteCount > limit else { return }
    let held = activity.oldestGenerationAge.map {
      ", and a query generation is held for \($0.components.seconds) seconds"
    }
    health.add(
      .longLog,
      description: """
        The write-ahead log of \(path) has \(activity.logByteCount) bytes, of \(limit) at most\(held ?? ""); end what reads an old state of the \
        store, here or in another program.
        """
    )
  }
}

/// The number of a history's transactions from the first to the last, and the date of the first.
private struct HistoryLength: Sendable {
  var count = 0
  var oldest: Date?
}
