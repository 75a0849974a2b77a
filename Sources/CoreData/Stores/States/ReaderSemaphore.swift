import Foundation
import Semaphores

/// Bounds how many threads read at a time, and how long one waits for a permit to read.
package struct ReaderSemaphore: Sendable {
  private let semaphore: FairSemaphore
  private let timeout: TimeInterval
  private let busyError: @Sendable (TimeInterval) -> any Error

  /// - Parameters:
  ///   - count: the number of permits, at least 1.
  ///   - timeout: the time that a thread waits for one, in seconds; a second at least.
  ///   - busyError: the error of a reader that has waited for that time.
  package init(count: Int, timeout: TimeInterval, busyError: @escaping @Sendable (TimeInterval) -> any Error) {
    semaphore = FairSemaphore(permits: count)
    self.timeout = max(timeout, 1)
    self.busyError = busyError
  }

  /// The number of threads that wait.
  var waitingCount: Int { semaphore.waitingCount }

  /// The number of permits in use.
  var usedCount: Int { semaphore.usedCount }

  /// Runs work with a permit.
  ///
  /// - Throws: an error when no permit is free until the time is over, or the call ends meanwhile.
  package func with<Value>(_ work: () throws -> Value) throws -> Value {
    try semaphore.acquire(timeout: timeout, subject: "waiting for others who read the store") { busyError(timeout) }
    defer { semaphore.release() }
    return try work()
  }

  /// Runs work with a permit, if one is free.
  ///
  /// - Returns: `nil` if no permit is free.
  package func ifFree<Value>(_ work: () throws -> Value) rethrows -> Value? {
    guard semaphore.acquireIfFree() else { return nil }
    defer { semaphore.release() }
    return try work()
  }

  /// Suspends the caller until no thread reads, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    await semaphore.drain(until: deadline)
  }
}
