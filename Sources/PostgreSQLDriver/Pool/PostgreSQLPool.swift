#if PostgreSQL
  import Dispatch
  import Foundation
  import Synchronization

  /// Connections to one server, which are lent to one caller at a time each.
  ///
  /// There are never more than a number of them. Callers wait for one in the order of their arrival.
  package final class PostgreSQLPool: Sendable {
    /// An idle connection.
    private struct Idle {
      let connection: PostgreSQLConnection
      let since: ContinuousClock.Instant
      let generation: Int
    }

    /// What a caller gets.
    private enum Grant {
      case connection(Idle)
      /// The right to open one.
      case opening
      case refusal
    }

    /// A caller that waits for a connection.
    private final class Waiter: Sendable {
      let semaphore = DispatchSemaphore(value: 0)
      /// Used with the lock of the pool alone.
      nonisolated(unsafe) var grant: Grant?
    }

    private struct State {
      /// Sorted by the time of their return.
      var idle: [Idle] = []
      /// The generations of the connections in use.
      var lent: [ObjectIdentifier: Int] = [:]
      /// Counts how often a connection was found lost, because a server that stops closes all its connections.
      var generation = 0
      /// The number of connections that are idle, lent, or being opened.
      var openCount = 0
      var waiters: [Waiter] = []
      var isClosed = false
    }

    private let address: PostgreSQLAddress
    private let count: Int
    private let applicationName: String
    private let checks: PostgreSQLChecks
    private let waiting: @Sendable (_ wait: () -> Void) -> Void
    private let prepare: @Sendable (PostgreSQLConnection) throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - count: the number of connections that there may be; at least 1.
    ///   - checks: the times after which an idle connection is checked.
    ///   - waiting: called around the wait of a thread for a connection of others.
    ///   - prepare: called with each new connection before it is lent.
    package init(
      _ address: PostgreSQLAddress,
      count: Int,
      applicationName: String = "perennial",
      checks: PostgreSQLChecks = PostgreSQLChecks(),
      waiting: @escaping @Sendable (_ wait: () -> Void) -> Void = { $0() },
      prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) {
      self.address = address
      self.count = max(1, count)
      self.applicationName = applicationName
      self.checks = checks
      self.waiting = waiting
      self.prepare = prepare
    }

    deinit { close() }

    /// The number of idle connections.
    package var idleCount: Int { state.withLock { $0.idle.count } }

    /// The number of connections, including those that are being opened.
    package var openCount: Int { state.withLock { $0.openCount } }

    /// The number of callers that wait.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    // MARK: - Lending

    /// Lends a connection for some work.
    ///
    /// - Parameter deadline: the time until which the call waits for a connection, and the deadline of the
    ///   connection's statements.
    /// - Throws: what the work throws, or as ``lend(deadline:willWait:)``.
    package func with<Value>(
      deadline: ContinuousClock.Instant?,
      _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
      let connection = try lend(deadline: deadline)
      defer { giveBack(connection) }
      return try body(connection)
    }

    /// Lends a connection, which the caller must give back.
    ///
    /// - Parameters:
    ///   - deadline: the time until which the call waits for a connection, and the deadline of the connection's
    ///     statements.
    ///   - willWait: called before the call waits, with a closure that ends the wait. Any thread may call the
    ///     closure.
    /// - Throws: a ``PostgreSQLError`` when none becomes free by the deadline or can be opened, when the
    ///   pool is closed, or what the preparation throws.
    package func lend(
      deadline: ContinuousClock.Instant?,
      willWait: ((_ giveUp: @escaping @Sendable () -> Void) -> Void)? = nil
    ) throws -> PostgreSQLConnection {
      switch try grant(until: deadline, willWait) {
      case .connection(let idle):
        idle.connection.deadline = deadline
        if checks.pass(idle.connection, idleSince: idle.since) { return idle.connection }
        end(idle.connection)
        forget(idle.generation)
        return try open(deadline)
      case .opening: return try open(deadline)
      case .refusal: throw Self.isClosed
      }
    }

    /// Gives a connection back. One that is lost, or in the middle of a transaction, is closed, and
    /// another may be opened for it.
    package func giveBack(_ connection: PostgreSQLConnection) {
      let generation = state.withLock { $0.lent.removeValue(forKey: ObjectIdentifier(connection)) }
      guard let generation else { return }
      if connection.isUsable, connection.transaction == .none {
        connection.deadline = nil
        let isKept = state.withLock { state in
          if state.isClosed || generation < state.generation { return false }
          pass(.connection(Idle(connection: connection, since: .now, generation: generation)), state: &state)
          return true
        }
        if isKept { return }
      }
      if !connection.isUsable { forget(generation) }
      end(connection)
      release()
    }

    /// Closes a lent connection that is not needed. The others are not affected.
    package func discard(_ connection: PostgreSQLConnection) {
      guard state.withLock({ $0.lent.removeValue(forKey: ObjectIdentifier(connection)) }) != nil else {
        return
      }
      end(connection)
      release()
    }

    /// Closes all idle connections now, and each connection in use when it is returned. The pool does this when it
    /// finds a lost connection.
    package func renew() { forget(state.withLock { $0.generation }) }

    /// Drops the connections of the same generation as a lost one, or an earlier one.
    private func forget(_ generation: Int) {
      let dropped = state.withLock { state -> [Idle] in
        guard generation == state.generation else { return [] }
        state.generation += 1
        state.openCount -= state.idle.count
        defer { state.idle = [] }
        return state.idle
      }
      for one in dropped { one.connection.close() }
    }

    /// Closes the idle connections now, and the others when they are returned. The pool lends no connection after
    /// this call.
    package func close() {
      let (idle, waiters) = state.withLock { state in
        defer { (state.idle, state.waiters, state.isClosed) = ([], [], true) }
        state.openCount -= state.idle.count
        for waiter in state.waiters { waiter.grant = .refusal }
        return (state.idle, state.waiters)
      }
      for waiter in waiters { waiter.semaphore.signal() }
      for one in idle { one.connection.close() }
    }

    // MARK: - Waiting

    private func grant(
      until deadline: ContinuousClock.Instant?,
      _ willWait: ((@escaping @Sendable () -> Void) -> Void)?
    ) throws -> Grant {
      var waiter: Waiter?
      let found = state.withLock { state -> Grant? in
        if state.isClosed { return .refusal }
        // The connection that was used last is the least likely to be lost.
        if let idle = state.idle.popLast() {
          state.lent[ObjectIdentifier(idle.connection)] = idle.generation
          return .connection(idle)
        }
        if state.openCount < count {
          state.openCount += 1
          return .opening
        }
        let own = Waiter()
        state.waiters.append(own)
        waiter = own
        return nil
      }
      guard let waiter else { return found ?? .refusal }
      willWait? { waiter.semaphore.signal() }
      waiting { _ = waiter.semaphore.wait(timeout: Self.time(of: deadline)) }
      let granted = state.withLock { state -> Grant? in
        if waiter.grant == nil { state.waiters.removeAll { $0 === waiter } }
        return waiter.grant
      }
      guard let granted else { throw isBusy }
      return granted
    }

    /// Passes a free connection or slot to the caller that has waited longest.
    private func pass(_ grant: Grant, state: inout State) {
      if !state.waiters.isEmpty {
        let waiter = state.waiters.removeFirst()
        waiter.grant = grant
        if case .connection(let idle) = grant {
          state.lent[ObjectIdentifier(idle.connection)] = idle.generation
        }
        waiter.semaphore.signal()
      } else if case .connection(let idle) = grant {
        state.idle.append(idle)
      } else {
        state.openCount -= 1
      }
    }

    private static func time(of deadline: ContinuousClock.Instant?) -> DispatchTime {
      guard let deadline else { return .distantFuture }
      let (seconds, attoseconds) = max(.zero, deadline - .now).components
      if seconds > Int64(Int32.max) { return .distantFuture }
      return .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }

    // MARK: - Connections

    /// Opens a connection. The caller must have reserved its slot.
    private func open(_ deadline: ContinuousClock.Instant?) throws -> PostgreSQLConnection {
      let generation = state.withLock { $0.generation }
      do {
        let connection = try PostgreSQLConnection(
          address,
          applicationName: applicationName,
          deadline: deadline
        )
        connection.deadline = deadline
        try prepare(connection)
        state.withLock { $0.lent[ObjectIdentifier(connection)] = generation }
        return connection
      } catch {
        release()
        throw error
      }
    }

    /// Gives the right to open a connection back.
    private func release() { state.withLock { pass(.opening, state: &$0) } }

    /// Closes a connection, after its transaction.
    private func end(_ connection: PostgreSQLConnection) {
      state.withLock { _ = $0.lent.removeValue(forKey: ObjectIdentifier(connection)) }
      if [.open, .failed].contains(connection.transaction) {
        // The server does the same when it notices that the connection is closed.
        connection.deadline = .now + checks.patience
        _ = try? connection.run("ROLLBACK")
      }
      connection.close()
    }

    // MARK: - Errors

    private static let isClosed = PostgreSQLError(
      state: "08003",
      message: "The connections to the server are closed."
    )

    private var isBusy: PostgreSQLError {
      PostgreSQLError(
        state: "53300",
        message: count == 1
          ? "The only connection to the server was in use until the deadline."
          : "All \(count) connections to the server were in use until the deadline.",
        hint: "Allow more connections, use each for a shorter time, or wait longer.",
        isTimeout: true
      )
    }
  }
#endif
