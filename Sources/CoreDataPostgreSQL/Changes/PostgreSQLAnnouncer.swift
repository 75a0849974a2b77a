#if PostgreSQL
  import CoreData
  import Dispatch
  import Synchronization

  /// Notifies other programs of this program's commits. One notification covers several commits in quick
  /// succession, and no save waits for it.
  final class PostgreSQLAnnouncer: Sendable {
    private struct State {
      /// True when there is a commit that no notification covers yet.
      var isWanted = false
      /// True from the first request until there are no requests.
      var isAtWork = false
      var isClosed = false
    }

    /// The pause before the next notification, because each one makes every listener query the clock.
    private static let pause = Duration.milliseconds(50)
    /// The pause after an attempt that has failed.
    private static let longPause = Duration.seconds(1)
    /// The time that one attempt has.
    private static let patience = Duration.seconds(5)

    private let announcement: SQLStatement?
    private let connections: PostgreSQLConnections
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.PostgreSQLAnnouncer")

    init(channel: PostgreSQLChannel, connections: PostgreSQLConnections) {
      announcement = channel.announcement
      self.connections = connections
    }

    /// Called when changes of the store have been committed.
    func announce() {
      if announcement == nil { return }
      let begins = state.withLock { state in
        state.isWanted = true
        defer { state.isAtWork = true }
        return !state.isAtWork && !state.isClosed
      }
      if begins { queue.async { self.work() } }
    }

    /// Announces the commits that were made until now, unless the server does not answer, and stops.
    func close() {
      state.withLock { $0.isClosed = true }
      queue.sync { _ = tell() }
    }

    private func work() {
      let isTold = tell()
      let goesOn = state.withLock { state in
        state.isAtWork = !state.isClosed && (state.isWanted || isTold)
        return state.isAtWork
      }
      if !goesOn { return }
      // One notification covers the commits of the pause. After a failure, it also covers those that the
      // failed one should have announced.
      let next = ContinuousClock.now + (isTold ? Self.pause : Self.longPause)
      queue.asyncAfter(deadline: next.dispatchTime) { self.work() }
    }

    /// - Returns: false when there was nothing to announce, or the announcement failed.
    private func tell() -> Bool {
      let isWanted = state.withLock { state in
        defer { state.isWanted = false }
        return state.isWanted
      }
      guard isWanted, let announcement else { return false }
      do {
        try StoreCall(deadline: .now + Self.patience, isBounded: true).run {
          _ = try connections.runAlone(announcement)
        }
        return true
      } catch {
        // A failed attempt is repeated. If all attempts fail, the watchers that query the clock still notice.
        state.withLock { $0.isWanted = true }
        return false
      }
    }
  }
#endif
