#if PostgreSQL
  import CPostgreSQL
  import Foundation
  import Synchronization

  /// Cancels the statement of a connection that is at work, and none after it; or all statements of some work.
  ///
  /// The request has a connection of its own, on which libpq waits for the server:
  /// <https://www.postgresql.org/docs/current/libpq-cancel.html>. The lock is held until then, so that the
  /// request cannot reach the next statement.
  final class PostgreSQLCanceller: @unchecked Sendable {
    private struct State {
      /// True while a statement is at work.
      var isRunning = false
      var workCount = 0
      /// The numbers of the works that are under way.
      var works: Set<Int> = []
      /// Those of them that are cancelled.
      var cancelled: Set<Int> = []
      /// True during work that must be done even when the call is cancelled.
      var isExempt = false
    }

    /// The time after which the cancel request is repeated, because the server ignores a request that arrives
    /// before the statement.
    private static let repetition = DispatchTimeInterval.milliseconds(250)

    // The request is never changed, and libpq lets any thread send it.
    private let request: OpaquePointer?
    private let state = Mutex(State())
    private let isSending = Atomic(false)
    // Of its own: a request to a server that is not reached takes long.
    private let repeating = DispatchQueue(label: "PostgreSQLCanceller")

    init(_ handle: OpaquePointer) { request = PQgetCancel(handle) }

    deinit { PQfreeCancel(request) }

    /// Called before a statement is sent.
    ///
    /// - Throws: a ``PostgreSQLError`` when the work that it belongs to is cancelled.
    func begin() throws {
      try state.withLock { state in
        if !state.cancelled.isEmpty, !state.isExempt { throw PostgreSQLError.isCancelledBefore }
        state.isRunning = true
      }
    }

    /// Called when all that a statement has led to is read. It waits for a request that is under way.
    func end() { state.withLock { $0.isRunning = false } }

    func cancel() { state.withLock { if $0.isRunning { send() } } }

    /// Sends the request, with the lock.
    private func send() {
      guard let request else { return }
      // A request that fails leaves the statement as it is, and the caller may try again.
      var message = [CChar](repeating: 0, count: 256)
      _ = PQcancel(request, &message, Int32(message.count))
    }

    // MARK: - Work

    /// - Returns: a number for ``cancel(work:)``.
    func beginWork() -> Int {
      state.withLock { state in
        state.workCount += 1
        state.works.insert(state.workCount)
        return state.workCount
      }
    }

    /// Called when work is done, cancelled or not.
    func endWork(_ number: Int) {
      state.withLock { state in
        state.works.remove(number)
        state.cancelled.remove(number)
      }
    }

    /// Cancels the statement of some work, and refuses its later statements. After the work it has no effect.
    func cancel(work number: Int) {
      let isAtWork = state.withLock { state in
        guard state.works.contains(number) else { return false }
        state.cancelled.insert(number)
        if state.isRunning, !state.isExempt { send() }
        return true
      }
      guard isAtWork else { return }
      repeating.asyncAfter(deadline: .now() + Self.repetition) { [weak self] in self?.cancel(work: number) }
    }

    /// Runs work that must be done even when the call is cancelled, such as ending its transaction.
    func exempting<Value>(_ work: () throws -> Value) rethrows -> Value {
      state.withLock { $0.isExempt = true }
      defer { state.withLock { $0.isExempt = false } }
      return try work()
    }

    /// Cancels on another thread, unless that is still busy with the request before.
    func cancelInBackground() {
      guard !isSending.exchange(true, ordering: .acquiringAndReleasing) else { return }
      Thread.detachNewThread {
        self.cancel()
        self.isSending.store(false, ordering: .releasing)
      }
    }
  }
#endif
