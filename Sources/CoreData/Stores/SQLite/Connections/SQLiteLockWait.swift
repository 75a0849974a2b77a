import CSystemSQLite
import Dispatch
import Foundation
import SQLiteDriver
import Synchronization

/// Waits, on one connection, for the locks of other processes and other connections.
///
/// It is SQLite's busy handler, which SQLite calls on the thread that executes a statement:
/// <https://www.sqlite.org/c3ref/busy_handler.html>.
final class SQLiteLockWait: Sendable {
  fileprivate struct Wait {
    /// The time limit for the current wait of the connection.
    var limitOfTransaction: ContinuousClock.Instant?
    var beginning = ContinuousClock.now
    var limit = ContinuousClock.now
    var steps = LockWait()
    /// True while waiting is disabled.
    var isOff = false
  }

  /// In seconds, as the store was opened.
  private let timeout: TimeInterval
  private let wait = Mutex(Wait())
  /// The path of the database; empty before it is known.
  private let store = Mutex("")
  private let isClosed = Atomic(false)

  init(timeout: TimeInterval) { self.timeout = timeout }

  /// The base of the configuration of one connection, which waits with this object.
  func configuration() -> SQLiteConfiguration {
    var configuration = SQLiteConfiguration.observed
    configuration.busyMode = .callback { [self] tries in retries(after: tries) }
    configuration.prepareDatabase { [self] database in
      let path = sqlite3_db_filename(database.sqliteConnection, nil).map { String(cString: $0) } ?? ""
      store.withLock { $0 = path }
    }
    return configuration
  }

  /// Takes the write lock, and waits for it until a given time. Later waits of the transaction have
  /// limits of their own.
  func begin(_ database: Database, until limit: ContinuousClock.Instant) throws {
    try waiting(until: limit) { try database.beginTransaction(.immediate) }
  }

  /// Does work that waits for others until a time.
  func waiting<Value>(until limit: ContinuousClock.Instant, _ work: () throws -> Value) throws -> Value {
    wait.withLock { $0.limitOfTransaction = limit }
    defer { wait.withLock { $0.limitOfTransaction = nil } }
    return try work()
  }

  /// Repeats work that SQLite refuses at once instead of waiting, because another connection does the
  /// same: each has read the file, and each wants to write it.
  func retrying(_ work: () throws -> Void) throws {
    var tries = 0
    while true {
      do {
        return try work()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && retries(after: tries) {
        tries += 1
      }
    }
  }

  /// Does work that fails at once where it would wait for another connection.
  func withoutWaiting<Value>(_ work: () throws -> Value) throws -> Value {
    wait.withLock { $0.isOff = true }
    defer { wait.withLock { $0.isOff = false } }
    return try work()
  }

  /// Ends all waits for locks.
  func close() { isClosed.store(true, ordering: .relaxed) }

  /// Pauses, and returns whether to try the lock again.
  private func retries(after tries: Int) -> Bool {
    let call = StoreCall.current
    if call?.isCancelled == true || isClosed.load(ordering: .relaxed) { return false }
    if call?.refuseLock() == true { return false }
    let (pause, isToBeTold) = wait.withLock { wait -> (Duration?, Bool) in
      if wait.isOff { return (nil, false) }
      if tries == 0 { wait.begin(timeout: timeout) }
      let waited = ContinuousClock.now - wait.beginning
      let pause = wait.steps.pause(after: tries, waited: waited, limit: wait.limit - wait.beginning)
      return (pause, pause != nil && wait.steps.isToBeTold(waited: waited))
    }
    guard let pause else { return false }
    if isToBeTold { tell() }
    let ended = DispatchSemaphore(value: 0)
    let number = call?.onEnd { _ in ended.signal() }
    defer { if let number { call?.forget(number) } }
    ContextThreads.whileWaiting { _ = ended.wait(timeout: (ContinuousClock.now + pause).dispatchTime) }
    return true
  }

  private func tell() {
    let store = store.withLock { $0 }
    for observer in StoreObservers.all(of: store) { observer.waiting?(store) }
  }
}

extension SQLiteLockWait.Wait {
  fileprivate mutating func begin(timeout: TimeInterval) {
    beginning = .now
    limit = limitOfTransaction ?? StoreCall.limit(timeout: timeout)
    steps = LockWait()
  }
}

extension Database {
  /// Runs work on the connection, which ends in the middle of a statement when the call of this thread does.
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

  /// The number of SQLite's steps between two looks at whether the call is still wanted: some tens of microseconds.
  private static let stepsBetweenLooks: Int32 = 2000
}
