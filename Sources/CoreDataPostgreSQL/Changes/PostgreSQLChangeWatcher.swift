#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// Notices changes of a store by any program on any machine.
  ///
  /// A dedicated connection listens for the notifications that programs send after their commits. The watcher
  /// queries the store's clock after each notification, every few seconds, and after each reconnection, so that it
  /// does not miss a change that was announced while the connection was down. If the server does not deliver
  /// notifications, the watcher queries the clock every second.
  final class PostgreSQLChangeWatcher: Sendable {
    private struct State {
      var time: PostgreSQLTime
      /// The connection that listens; `nil` during reconnection, and without notifications.
      var listening: PostgreSQLConnection?
      /// True when the watcher queries and reports no more.
      var isStopped = false
    }

    /// The interval between two queries of the clock while the server delivers notifications.
    private static let interval = Duration.seconds(5)
    /// The shortest interval between two queries, so that one query covers the notifications of many programs.
    private static let shortestInterval = Duration.milliseconds(50)
    /// The time between two questions where it does not.
    private static let shortInterval = Duration.seconds(1)
    /// The time limit for opening a connection, and for the answer to a query.
    private static let patience = Duration.seconds(10)
    /// The pauses between attempts to connect: each twice as long as the one before, up to the last.
    private static let firstPause = Duration.milliseconds(100)
    private static let lastPause = Duration.seconds(5)

    private let channel: PostgreSQLChannel
    private let connections: PostgreSQLConnections
    private let state: Mutex<State>
    /// Ends a pause.
    private let stopping = DispatchSemaphore(value: 0)
    private let report: @Sendable (Int64) -> Void

    /// Begins to watch.
    ///
    /// - Parameter report: called with the number of the last transaction in the history, 0 for none, on a thread
    ///   of the watcher's own.
    /// - Throws: an error of the server during the start. The watcher does not report later errors; it reconnects
    ///   until it succeeds.
    init(
      channel: PostgreSQLChannel,
      connections: PostgreSQLConnections,
      report: @escaping @Sendable (Int64) -> Void
    ) throws {
      self.channel = channel
      self.connections = connections
      self.report = report
      let listening = channel.usesNotifications ? try Self.connect(channel, connections: connections) : nil
      let time = try Self.time(channel, connections: connections, listening: listening)
      state = Mutex(State(time: time, listening: listening))
    }

    /// Begins the reports. The thread keeps the watcher until it is stopped.
    func start() {
      let thread = Thread { self.watch() }
      thread.name = "CoreData.PostgreSQLChangeWatcher"
      thread.start()
    }

    /// Stops watching. A report in progress continues, because its receiver, or code that the receiver waits for,
    /// may be the one that stops the watcher. No report begins afterwards.
    func stop() {
      let listening = state.withLock { state in
        state.isStopped = true
        return state.listening
      }
      listening?.wake()
      stopping.signal()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    // MARK: - The thread

    private func watch() {
      while !isStopped {
        if channel.usesNotifications, state.withLock({ $0.listening == nil }) { reconnect() }
        let isNews = waitForNews()
        ask()
        if isNews { pause(Self.shortestInterval) }
      }
      state.withLock { state in
        defer { state.listening = nil }
        return state.listening
      }?
      .close()
    }

    /// - Returns: true when a notification has arrived.
    private func waitForNews() -> Bool {
      guard channel.usesNotifications else {
        pause(Self.shortInterval)
        return false
      }
      guard let connection = state.withLock({ $0.isStopped ? nil : $0.listening }) else { return false }
      do {
        return try !connection.notifications(until: .now + Self.interval).isEmpty
      } catch {
        disconnect()
        return false
      }
    }

    private func ask() {
      let connection = state.withLock { $0.isStopped ? nil : $0.listening }
      if connection == nil, channel.usesNotifications || isStopped { return }
      do {
        let time = try Self.time(channel, connections: connections, listening: connection)
        let isNews = state.withLock { state in
          if state.isStopped { return false }
          defer { state.time = time }
          return time.isNews(since: state.time, hasHistory: channel.hasHistory)
        }
        // The call is outside of the lock, because the receiver may remove the store.
        if isNews { report(channel.hasHistory ? time.transaction : 0) }
      } catch {
        // A server that does not answer this question may answer the next one.
        if connection?.isUsable == false { disconnect() }
      }
    }

    private func pause(_ duration: Duration) {
      _ = stopping.wait(timeout: (ContinuousClock.now + duration).dispatchTime)
    }

    // MARK: - Connections

    /// Reconnects, for as long as it takes, and queries the clock for changes that were made in the meantime.
    private func reconnect() {
      var wait = Self.firstPause
      while !isStopped {
        if let connection = try? Self.connect(channel, connections: connections) {
          state.withLock { $0.listening = connection }
          return ask()
        }
        pause(wait)
        wait = min(wait * 2, Self.lastPause)
      }
    }

    private func disconnect() {
      let connection = state.withLock { state in
        defer { state.listening = nil }
        return state.listening
      }
      connection?.close()
    }

    private static func connect(
      _ channel: PostgreSQLChannel,
      connections: PostgreSQLConnections
    ) throws -> PostgreSQLConnection {
      let limit = ContinuousClock.now + patience
      let connection = try PostgreSQLConnection(connections.address, deadline: limit)
      connection.preparesStatements = connections.capabilities[.preparedStatements]
      connection.deadline = limit
      try connection.run(channel.subscription)
      return connection
    }

    /// - Parameter listening: the connection that is asked; `nil` for one of the store's.
    private static func time(
      _ channel: PostgreSQLChannel,
      connections: PostgreSQLConnections,
      listening: PostgreSQLConnection?
    ) throws -> PostgreSQLTime {
      let answer: PostgreSQLResult
      if let listening {
        listening.deadline = .now + patience
        answer = try listening.run(channel.question, isCached: true)
      } else {
        answer = try connections.runAlone(SQLStatement(sql: channel.question))
      }
      if let time = PostgreSQLTime(answer) { return time }
      throw StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        message:
          "\(connections.address.description): perennial_clock has no row; another program has changed the store."
      )
    }
  }
#endif
