import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Waits for a lock that another connection has, and tells observers when that takes a second.
///
/// A connection has one only when somebody hears the waits of its store; otherwise SQLite's own
/// busy timeout waits. SQLite's documentation of `sqlite3_busy_handler`.
// SQLite calls it on the thread that executes a statement, and a connection is used by one thread
// at a time. The table below has a lock.
final class SQLiteWaiting: @unchecked Sendable {
  private let store: String
  private let observers: [StoreObserver]
  private var milliseconds: Int32
  private var wait = LockWait()
  private var beginning = ContinuousClock.now

  /// Those of open connections, by the addresses of these, which are only compared. An entry goes
  /// when its connection is closed.
  private static let all = Mutex<[Int: SQLiteWaiting]>([:])

  private init(_ store: String, _ observers: [StoreObserver], milliseconds: Int32) {
    self.store = store
    self.observers = observers
    self.milliseconds = milliseconds
  }

  /// Called when a connection is opened, which waits from now on as long as it would have waited
  /// without this.
  static func install(in database: Database, _ store: String, _ observers: [StoreObserver]) {
    guard let connection = database.sqliteConnection else { return }
    let milliseconds = (try? Int32.fetchOne(database, sql: "PRAGMA busy_timeout")) ?? 0
    let waiting = SQLiteWaiting(store, observers, milliseconds: milliseconds)
    all.withLock { $0[Int(bitPattern: connection)] = waiting }
    waiting.install(in: connection)
  }

  /// Has a connection wait so long at most, in place of `sqlite3_busy_timeout`.
  static func limit(_ connection: OpaquePointer?, to milliseconds: Int32) {
    guard let connection, let waiting = all.withLock({ $0[Int(bitPattern: connection)] }) else {
      sqlite3_busy_timeout(connection, milliseconds)
      return
    }
    waiting.milliseconds = milliseconds
  }

  /// Called when a connection is being closed.
  static func remove(from connection: OpaquePointer) {
    guard let waiting = all.withLock({ $0.removeValue(forKey: Int(bitPattern: connection)) }) else { return }
    // One that cannot be closed yet goes on without this.
    sqlite3_busy_timeout(connection, waiting.milliseconds)
  }

  private func install(in connection: OpaquePointer) {
    // The table owns it as long as SQLite may call it.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(connection, Self.callback, context)
  }

  private static let callback: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { context, tries in
    guard let context else { return 0 }
    let waiting = Unmanaged<SQLiteWaiting>.fromOpaque(context).takeUnretainedValue()
    return waiting.waits(after: Int(tries)) ? 1 : 0
  }

  /// Waits a little, and answers whether the lock is to be tried again.
  private func waits(after tries: Int) -> Bool {
    if tries == 0 {
      wait = LockWait()
      beginning = .now
    }
    let waited = beginning.duration(to: .now)
    let limit = Duration.milliseconds(milliseconds)
    guard let pause = wait.pause(after: tries, waited: waited, limit: limit) else { return false }
    if wait.isToBeTold(waited: waited) {
      for observer in observers { observer.waiting?(store) }
    }
    Thread.sleep(forTimeInterval: pause / .seconds(1))
    return true
  }
}
