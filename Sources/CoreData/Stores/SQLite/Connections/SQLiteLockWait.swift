import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Waits, on one connection, for the locks that other processes and other connections have.
final class SQLiteLockWait: Sendable {
  /// In seconds, as the store was opened.
  private let timeout: TimeInterval
  private struct End {
    /// The time that is set for whatever the connection waits for now.
    var ofTransaction: ContinuousClock.Instant?
    /// The time at which the present wait ends.
    var ofWait = ContinuousClock.now
  }

  private let end = Mutex(End())
  private let isOver = Atomic(false)
  /// The lengths of the pauses between tries, in milliseconds, as SQLite's own; the last one is
  /// repeated.
  private static let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  init(timeout: TimeInterval) { self.timeout = timeout }

  /// Takes the write lock, for which it waits until a time that was set before it came to this.
  /// Later waits of the transaction are bounded anew.
  func begin(_ database: Database, until limit: ContinuousClock.Instant) throws {
    end.withLock { $0.ofTransaction = limit }
    defer { end.withLock { $0.ofTransaction = nil } }
    try database.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
  }

  /// Waits for nobody any more.
  func close() { isOver.store(true, ordering: .relaxed) }

  /// SQLite's question whether to try once more, after a pause.
  func retries(after tries: Int) -> Bool {
    let call = StoreCall.current
    let limit = end.withLock { end in
      if tries == 0 { end.ofWait = end.ofTransaction ?? StoreCall.limit(timeout: timeout) }
      return end.ofWait
    }
    let rest = limit - .now
    if rest <= .zero || call?.isCancelled == true || isOver.load(ordering: .relaxed) { return false }
    let pause = min(.milliseconds(Self.pauses[min(tries, Self.pauses.count - 1)]), rest)
    let ended = DispatchSemaphore(value: 0)
    let number = call?.onEnd { _ in ended.signal() }
    defer { if let number { call?.forget(number) } }
    ContextThreads.whileWaiting { _ = ended.wait(timeout: (ContinuousClock.now + pause).dispatchTime) }
    return true
  }
}

extension Database {
  /// Runs work on the connection, which ends in the middle of a statement when the call of this
  /// thread does.
  func endingWithCall<Value>(_ work: (Database) throws -> Value) throws -> Value {
    guard let call = StoreCall.current, call.isBounded, let connection = sqliteConnection else {
      return try work(self)
    }
    sqlite3_progress_handler(
      connection,
      Self.stepsBetweenLooks,
      { call in
        guard let call else { return 0 }
        return Unmanaged<StoreCall>.fromOpaque(call).takeUnretainedValue().end == nil ? 0 : 1
      },
      // The thread's call is alive as long as its work runs.
      Unmanaged.passUnretained(call).toOpaque()
    )
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    return try work(self)
  }

  /// The number of SQLite's steps between two looks at whether the call is still wanted: some tens
  /// of microseconds.
  private static let stepsBetweenLooks: Int32 = 2000
}
