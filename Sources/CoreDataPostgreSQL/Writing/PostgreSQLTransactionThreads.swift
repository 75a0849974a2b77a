#if PostgreSQL
  import CoreData
  import CRuntime
  import Synchronization

  /// The threads that are in a transaction of many saves.
  ///
  /// A write by such a thread outside its transaction could wait for a row, or for the clock of the history, that
  /// the transaction has locked. The server cannot detect that the thread waits for itself.
  final class PostgreSQLTransactionThreads: Sendable {
    private let threads = Mutex<Set<UInt>>([])

    /// Does the work of a transaction on this thread.
    func inside<Value>(_ work: () throws -> Value) throws -> Value {
      try requireNone()
      let thread = currentThread()
      threads.withLock { _ = $0.insert(thread) }
      defer { threads.withLock { _ = $0.remove(thread) } }
      return try work()
    }

    /// - Throws: an error with the remedy, when this thread is in a transaction.
    func requireNone() throws {
      let thread = currentThread()
      if threads.withLock({ $0.contains(thread) }) { throw PostgreSQLFailure.nestedWrite }
    }
  }
#endif
