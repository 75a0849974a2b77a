#if PostgreSQL
  import Semaphores
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

    private struct State {
      /// Sorted by the time of their return.
      var idle: [Idle] = []
      /// The generations of the connections in use.
      var lent: [ObjectIdentifier: Int] = [:]
      /// Counts how often a connection was found lost, because a server that stops closes all its connections.
      var generation = 0
      /// The number of connections that are idle, lent, or being opened.
      var openCount = 0
      var isClosed = false
    }

    private let address: PostgreSQLAddress
    private let count: Int
    /// A caller needs one of its permits for a connection.
    private let semaphore: FairSemaphore
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
      semaphore = FairSemaphore(permits: self.count)
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
    package var waitingCount: Int { semaphore.waitingCount }

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
    ///   - willWait: called before the call waits, with a closure that ends the wait. Any thread may call the closure.
    /// - Throws: a ``PostgreSQLError`` when none becomes free by the deadline or can be opened, when the
    ///   pool is closed, or what the preparation throws.
    package func lend(
      deadline: ContinuousClock.Instant?,
      willWait: ((_ giveUp: @escaping @Sendable () -> Void) -> Void)? = nil
    ) throws -> PostgreSQLConnection {
      try semaphore.acquire(
        until: deadline,
        waiting: waiting,
        willWait: { waiter in willWait? { self.semaphore.end(waiter, with: self.isBusy) } },
        late: { isBusy }
      )
      guard let idle = try takeIdle() else { return try open(deadline) }
      idle.connection.deadline = deadline
      if checks.pass(idle.connection, idleSince: idle.since) { return idle.connection }
      end(idle.connection)
      forget(idle.generation)
      return try open(deadline)
    }

    /// Takes the connection that was used last, because it is the least likely to be lost.
    ///
    /// - Returns: `nil` when no connection is idle. The caller may open one then.
    private func takeIdle() throws -> Idle? {
      do {
        return try state.withLock { state in
          if state.isClosed { throw Self.isClosed }
          guard let idle = state.idle.popLast() else {
            state.openCount += 1
            return nil
          }
          state.lent[ObjectIdentifier(idle.connection)] = idle.generation
          return idle
        }
      } catch {
        semaphore.release()
        throw error
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
          state.idle.append(Idle(connection: connection, since: .now, generation: generation))
          return true
        }
        if isKept {
          semaphore.release()
          return
        }
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
      let idle = state.withLock { state in
        defer { (state.idle, state.isClosed) = ([], true) }
        state.openCount -= state.idle.count
        return state.idle
      }
      semaphore.close(with: Self.isClosed)
      for one in idle { one.connection.close() }
    }

    // MARK: - Connections

    /// Opens a connection. The caller must have a permit for it.
    private func open(_ deadline: ContinuousClock.Instant?) throws -> PostgreSQLConnection {
      let generation = state.withLock { $0.generation }
      do {
        let connection = try PostgreSQLConnection(address, applicationName: applicationName, deadline: deadline)
        connection.deadline = deadline
        try prepare(connection)
        state.withLock { $0.lent[ObjectIdentifier(connection)] = generation }
        return connection
      } catch {
        release()
        throw error
      }
    }

    /// Called when a connection was closed or could not be opened.
    private func release() {
      state.withLock { $0.openCount -= 1 }
      semaphore.release()
    }

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

    private static let isClosed = PostgreSQLError(state: "08003", message: "The connections to the server are closed.")

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
