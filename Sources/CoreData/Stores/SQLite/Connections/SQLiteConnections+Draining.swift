import SQLiteDriver
import Synchronization

extension SQLiteConnections {
  /// Refuses waiting writers and new ones.
  func refuseWrites() {
    writeLock.close()
    lockWait.close()
    openTransaction.withLock { $0?.lockWait.close() }
  }

  /// Suspends the caller until the store has no readers and no writer, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    guard await writeLock.drain(until: deadline) else { return false }
    return await readers?.drain(until: deadline) ?? true
  }

  /// Interrupts current work in the middle of a statement.
  func interrupt() {
    writer.interrupt()
    openTransaction.withLock { $0?.connection.interrupt() }
    readers?.interrupt()
  }
}
