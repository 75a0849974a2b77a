#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Synchronization

  /// The current reads and writes on the connections of a store, so that they can be ended.
  final class PostgreSQLWork: Sendable {
    enum Kind: Sendable {
      case read, write
    }

    private struct State {
      var counts: [Kind: Int] = [:]
      var refused: Set<Kind> = []
      /// Closures that end a wait for a connection or for the server, by its number.
      var waits: [Int: (kind: Kind, end: @Sendable () -> Void)] = [:]
      var waitCount = 0
      /// Closures that cancel the statements of a connection, by its number.
      var statements: [ObjectIdentifier: @Sendable () -> Void] = [:]
      /// True when work is ended in its middle.
      var isInterrupted = false
      /// Callers that wait until there are no readers, or no writers.
      var draining: [(kind: Kind, wait: SuspendedWait<Void>)] = []
    }

    private let state = Mutex(State())

    /// The number of readers.
    var readerCount: Int { state.withLock { $0.counts[.read, default: 0] } }

    /// The number of writers that wait.
    var waitingWriterCount: Int { state.withLock { $0.waits.values.count { $0.kind == .write } } }

    // MARK: - Work

    /// Does work of a kind.
    ///
    /// - Throws: `StoreClosing` when it is refused or interrupted.
    func during<Value>(_ kind: Kind, _ work: () throws -> Value) throws -> Value {
      try state.withLock { state in
        if state.refused.contains(kind) { throw StoreClosing() }
        state.counts[kind, default: 0] += 1
      }
      defer { end(kind) }
      do {
        return try work()
      } catch let error as PostgreSQLError where error.isCancelled {
        throw state.withLock { $0.isInterrupted } ? StoreClosing() : error
      }
    }

    private func end(_ kind: Kind) {
      let done = state.withLock { state -> [SuspendedWait<Void>] in
        let left = state.counts[kind, default: 0] - 1
        state.counts[kind] = left
        if left > 0 { return [] }
        let done = state.draining.filter { $0.kind == kind }.map(\.wait)
        state.draining.removeAll { $0.kind == kind }
        return done
      }
      for wait in done { wait.resume(with: .success(())) }
    }

    /// - Throws: `StoreClosing` when work of the kind is refused.
    func check(_ kind: Kind) throws {
      if state.withLock({ $0.refused.contains(kind) }) { throw StoreClosing() }
    }

    /// Registers a wait. `end` is called when work of the kind is refused, or at once if it is refused already.
    ///
    /// - Parameter end: may be called by any thread.
    /// - Returns: a number for ``removeWait(_:)``.
    func addWait(_ kind: Kind, _ end: @escaping @Sendable () -> Void) -> Int {
      let (number, isRefused) = state.withLock { state in
        state.waitCount += 1
        state.waits[state.waitCount] = (kind, end)
        return (state.waitCount, state.refused.contains(kind))
      }
      if isRefused { end() }
      return number
    }

    func removeWait(_ number: Int) { state.withLock { $0.waits[number] = nil } }

    /// Makes a connection subject to interruption while some work uses it.
    func using<Value>(_ connection: PostgreSQLConnection, _ work: () throws -> Value) rethrows -> Value {
      let number = ObjectIdentifier(connection)
      defer { state.withLock { $0.statements[number] = nil } }
      return try connection.cancellable(
        { cancel in
          let isInterrupted = state.withLock { state in
            state.statements[number] = cancel
            return state.isInterrupted
          }
          if isInterrupted { cancel() }
        },
        work
      )
    }

    // MARK: - The end

    /// Refuses further work of a kind, and ends the waits of work that has not begun.
    func refuse(_ kind: Kind) {
      let waits = state.withLock { state in
        state.refused.insert(kind)
        return state.waits.values.filter { $0.kind == kind }
      }
      for wait in waits { wait.end() }
    }

    /// Suspends the caller until no work of a kind is done, at the latest until a deadline.
    ///
    /// - Returns: false when the deadline came first.
    nonisolated(nonsending) func drain(_ kind: Kind, until deadline: ContinuousClock.Instant) async -> Bool {
      let wait = SuspendedWait<Void>()
      let isDone = state.withLock { state in
        if state.counts[kind, default: 0] == 0 { return true }
        state.draining.append((kind, wait))
        return false
      }
      if isDone { return true }
      let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
      defer { Deadlines.shared.remove(timer) }
      return (try? await wait.untilResumed()) != nil
    }

    /// Ends the statements that are being run.
    func interrupt() {
      let statements = state.withLock { state in
        state.isInterrupted = true
        return state.statements.values
      }
      // Each request waits for the server.
      for cancel in statements { Thread.detachNewThread(cancel) }
    }
  }
#endif
