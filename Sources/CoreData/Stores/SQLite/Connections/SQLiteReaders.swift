import Foundation
import SQLiteDriver
import Synchronization

/// The connections that read while another one writes. One thread at a time uses each of them.
final class SQLiteReaders: Sendable {
  private struct State {
    var idle: [SQLiteConnection] = []
    var isClosed = false
    /// True when the store is about to be closed, and no caller gets a connection.
    var isRefusing = false
    /// All connections, those that are lent out among them.
    var all: [SQLiteConnection] = []
  }

  /// The number of readers unless an option says otherwise. More readers at a time have to wait for one another.
  static let defaultCount = 8

  private let state = Mutex(State())
  /// A reader needs one of its permits for a connection.
  private let semaphore: ReaderSemaphore
  private let open: @Sendable () throws -> SQLiteConnection

  /// - Parameters:
  ///   - count: the number of connections that there may be, at least 1.
  ///   - timeout: the time that a reader waits for one of the connections, in seconds; a second at least.
  ///   - open: opens a connection.
  init(
    count: Int = SQLiteReaders.defaultCount,
    timeout: TimeInterval,
    open: @escaping @Sendable () throws -> SQLiteConnection
  ) {
    semaphore = ReaderSemaphore(count: count, timeout: timeout)
    self.open = open
  }

  /// The number of connections that are open.
  var count: Int { state.withLock { $0.all.count } }

  /// The number of connections that are lent out.
  var busyCount: Int { semaphore.usedCount }

  /// Leases a connection for as long as the work lasts.
  func with<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try semaphore.with {
      let connection = try lease()
      defer { release(connection) }
      return try body(connection)
    }
  }

  /// Leases a second connection for a caller that has one, if one is free. It does not wait, because
  /// two such callers could wait for each other.
  ///
  /// - Parameters:
  ///   - wanted: false to lease no connection.
  ///   - body: receives `nil` if no connection is free.
  func withAnother<Value>(wanted: Bool, _ body: (SQLiteConnection?) throws -> Value) throws -> Value {
    guard wanted else { return try body(nil) }
    let value = try semaphore.ifFree {
      let connection = try lease()
      defer { release(connection) }
      return try body(connection)
    }
    return try value ?? body(nil)
  }

  /// Closes the connections. Those that are lent out are closed when they come back.
  func close() throws {
    let idle = state.withLock { state in
      defer {
        state.idle = []
        state.all = []
      }
      state.isClosed = true
      return state.idle
    }
    for connection in idle { try connection.close() }
  }

  /// Suspends the caller until no connection is lent out, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    await semaphore.drain(until: deadline)
  }

  /// Interrupts the current reads in the middle of a statement, and refuses new ones. Otherwise
  /// overlapping reads could continue without an end.
  func interrupt() {
    let all = state.withLock { state in
      state.isRefusing = true
      return state.all
    }
    for connection in all { connection.interrupt() }
  }

  /// - Throws: an error when the store refuses readers.
  func requireReadable() throws { if state.withLock({ $0.isRefusing }) { throw StoreClosing() } }

  private func lease() throws -> SQLiteConnection {
    let idle = try state.withLock { state in
      if state.isClosed { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed") }
      if state.isRefusing { throw StoreClosing() }
      return state.idle.popLast()
    }
    if let idle { return idle }
    let connection = try open()
    state.withLock { $0.all.append(connection) }
    return connection
  }

  private func release(_ connection: SQLiteConnection) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.idle.append(connection) }
      return state.isClosed
    }
    // There is no caller to report a failure to; the connection closes with its last reference.
    if isClosed { try? connection.close() }
  }
}
