#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The states of a store that query generations hold. It limits their number and their age.
  ///
  /// Each has a connection with an open transaction, which prevents the server from removing the row versions
  /// that the state sees: <https://www.postgresql.org/docs/current/routine-vacuuming.html>.
  final class PostgreSQLPinnedSnapshots: Sendable {
    /// An hour, and sixteen states at a time: by default a server allows a hundred connections
    /// (<https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-MAX-CONNECTIONS>), and it
    /// keeps every row version that was replaced since the oldest state.
    static let standardLimits = StateLimits(count: 16, age: .seconds(3600))

    /// The number of idle connections that are kept for the next states.
    private static let idleCount = 2

    let connections: PostgreSQLConnections
    private let url: URL
    private let limits: StateLimits
    /// The mark of a state is the timer that ends it by its age.
    private let states = PinnedSnapshots<PostgreSQLSnapshot, Deadlines.Entry?>(
      label: "CoreData.PostgreSQLPinnedSnapshots"
    )
    private let pool: PostgreSQLPool

    init(connections: PostgreSQLConnections, limits: StateLimits, at url: URL) {
      self.connections = connections
      self.limits = limits
      self.url = url
      // The number of states limits the number of connections.
      let preparesStatements = connections.capabilities[.preparedStatements]
      pool = PostgreSQLPool(
        connections.address,
        count: .max,
        prepare: { [place = connections.address.description] connection in
          PostgreSQLStatementLog.install(on: connection, of: place)
          connection.preparesStatements = preparesStatements
        }
      )
    }

    /// True when several connections can read one state.
    ///
    /// A connection pooler may run two transactions on different servers.
    var exportsSnapshots: Bool { connections.capabilities[.exportedSnapshots] && connections.capabilities[.sessions] }

    // MARK: - Connections

    /// Lends a connection for a state.
    func lend(until limit: ContinuousClock.Instant) throws -> PostgreSQLConnection { try pool.lend(deadline: limit) }

    /// Takes the connection of a state back. The work continues in the background.
    func giveBack(_ connection: PostgreSQLConnection) {
      // No other thread has the connection any more.
      let connection = UncheckedSendable(connection)
      states.queue.async { [pool] in
        let connection = connection.value
        connection.deadline = .now + .seconds(5)
        if pool.idleCount >= Self.idleCount { return pool.discard(connection) }
        // A lost connection makes the pool check the others.
        if (try? connection.run("COMMIT")) == nil { connection.close() }
        pool.giveBack(connection)
      }
    }

    // MARK: - States

    func reserveNumber() -> Int { states.reserveNumber() }

    func register(_ snapshot: PostgreSQLSnapshot, number: Int) {
      states.register(snapshot, number: number, mark: nil)
      // The timer looks once for states whose time has come. It must find this one, with at least its age.
      if let age = limits.age {
        let timer = Deadlines.shared.add(.now + age) { [weak self] in self?.endOld() }
        if !states.setMark(timer, of: number) { Deadlines.shared.remove(timer) }
      }
      if let count = limits.count { forget(states.endOldest(beyond: count, reason: error(.count))) }
    }

    /// Called when the last user of a state releases it.
    func release(_ number: Int) {
      if case let timer?? = states.release(number).mark { Deadlines.shared.remove(timer) }
    }

    /// Called when the time of a state has come.
    private func endOld() {
      guard let limit = limits.age else { return }
      let now = ContinuousClock.now
      forget(
        states.end { held in
          let age = held.began.duration(to: now)
          return age >= limit ? error(.age(age)) : nil
        }
      )
    }

    private func forget(_ timers: [Deadlines.Entry?]) {
      for case let timer? in timers { Deadlines.shared.remove(timer) }
    }

    func error(_ excess: StateExcess) -> any Error { excess.error(of: url.absoluteString, at: url, limits: limits) }

    /// The number of states that are held, and the time since the oldest of them began.
    var activity: (count: Int, oldestAge: Duration?) { states.activity }

    /// Waits until released states are closed.
    func waitForClosing() { states.queue.sync {} }

    // MARK: - Closing

    /// Suspends the caller until no reader uses a state, at the latest until a deadline.
    ///
    /// - Returns: false when the deadline came first.
    nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
      await states.drain(until: deadline)
    }

    /// Ends the reads of states that are under way.
    func interrupt() { states.interrupt() }

    /// Releases all states. Later reads throw an error.
    ///
    /// - Throws: the first error of a connection; all of them are closed.
    func close() throws {
      let (outcomes, timers) = states.close()
      forget(timers)
      waitForClosing()
      pool.close()
      for outcome in outcomes { try outcome.get() }
    }
  }
#endif
