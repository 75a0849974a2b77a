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
    var leased = 0
    /// Callers that wait until no connection is lent.
    var draining: [SuspendedWait<Void>] = []
  }

  /// The number of readers unless an option says otherwise. More readers at a time have to wait for
  /// one another.
  static let defaultCount = 8

  private let state = Mutex(State())
  private let places: ReaderSemaphore
  private let open: @Sendable () throws -> SQLiteConnection

  /// - Parameters:
  ///   - count: the number of connections that there may be, at least 1.
  ///   - timeout: the time that a reader waits for one of the connections, in seconds; a second at
  ///     least.
  ///   - open: opens a connection.
  init(
    count: Int = SQLiteReaders.defaultCount,
    timeout: TimeInterval,
    open: @escaping @Sendable () throws -> SQLiteConnection
  ) {
    places = ReaderSemaphore(count: count, timeout: timeout)
    self.open = open
  }

  /// The number of connections that are open.
  var count: Int { state.withLock { $0.all.count } }

  /// The number of connections that are lent out.
  var busyCount: Int { state.withLock { $0.leased } }

  /// Leases a connection for as long as the work lasts.
  func with<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try places.with {
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
    let value = try places.ifFree {
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
    let wait = SuspendedWait<Void>()
    let isIdle = state.withLock { state in
      if state.leased > 0 { state.draining.append(wait) }
      return state.leased == 0
    }
    if isIdle { return true }
    let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
    defer { Deadlines.shared.remove(timer) }
    return (try? await wait.untilResumed()) != nil
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
      state.leased += 1
      return state.idle.popLast()
    }
    if let idle { return idle }
    do {
      let connection = try open()
      state.withLock { $0.all.append(connection) }
      return connection
    } catch {
      release(nil)
      throw error
    }
  }

  /// - Parameter connection: `nil` when none could be opened.
  private func release(_ connection: SQLiteConnection?) {
    let (isClosed, draining) = state.withLock { state in
      state.leased -= 1
      if !state.isClosed, let connection { state.idle.append(connection) }
      defer { if state.leased == 0 { state.draining = [] } }
      return (state.isClosed, state.leased == 0 ? state.draining : [])
    }
    // There is no caller to report a failure to; the connection closes with its last reference.
    if isClosed { try? connection?.close() }
    for wait in draining { wait.resume(with: .success(())) }
  }
}
