#if PostgreSQL
  import CPostgreSQL
  import Foundation
  import Synchronization

  /// Cancels the statement of a connection that is at work, and none after it.
  ///
  /// The request goes by a connection of its own, on which libpq waits for the server. The lock is held
  /// until then, so that the next statement begins when the request can reach it no more.
  final class PostgreSQLCanceller: @unchecked Sendable {
    // The request is never changed, and libpq lets any thread send it.
    private let request: OpaquePointer?
    private let isRunning = Mutex(false)
    private let isSending = Atomic(false)

    init(_ handle: OpaquePointer) { request = PQgetCancel(handle) }

    deinit { PQfreeCancel(request) }

    /// Called before a statement is sent.
    func begin() { isRunning.withLock { $0 = true } }

    /// Called when all that a statement has led to is read. It waits for a request that is under way.
    func end() { isRunning.withLock { $0 = false } }

    func cancel() {
      isRunning.withLock { isRunning in
        guard isRunning, let request else { return }
        // A request that fails leaves the statement as it is, and whoever wants it tries again.
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(request, &message, Int32(message.count))
      }
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
