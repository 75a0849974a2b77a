import CRuntime
import Foundation
import SQLiteDriver
import Semaphores
import Synchronization

/// Lets one call at a time write a store, in the order in which they came.
///
/// A thread waits for the lock. A task is suspended, and its ``StoreCall`` then has the lock until it releases it,
/// on any thread.
final class FairWriteLock: Sendable {
  private let semaphore = FairSemaphore()
  /// The thread that is writing, and 0 when none is. It has the permit, or its call has.
  private let thread = Atomic<UInt>(0)
  /// Threads of this process wait for each other at least this long, even if the store must not wait for other
  /// processes.
  private static let leastTimeout: TimeInterval = 1

  /// The number of threads and tasks that wait.
  var waitingCount: Int { semaphore.waitingCount }

  /// True when a waiting thread has used up half of its time. The owner then releases the lock if its work can be
  /// done later.
  var isUrgent: Bool { semaphore.isUrgent }

  // MARK: - Threads

  /// Runs work while no other thread writes. A call that already has the lock does not wait.
  ///
  /// - Parameters:
  ///   - timeout: the store's timeout in seconds, for threads of this process and for other processes together.
  ///   - isUpkeep: true for maintenance of the store itself, also while it is being closed.
  ///   - monitoring: receives the duration of the wait; `nil` for writes that an application did not ask for.
  /// - Throws: an error when this call is in a transaction already, which would wait for itself; when the time is
  ///   over before other writers have finished; or when the call ends in the meantime.
  func hold<Value>(
    timeout: TimeInterval,
    isUpkeep: Bool = false,
    timedBy monitoring: StoreMonitoring? = nil,
    _ work: () throws -> Value
  ) throws -> Value {
    let isHeld = StoreCall.current?.holds(self) ?? false
    if isHeld {
      if !begin() { throw Self.isInTransaction }
    } else if let monitoring {
      try monitoring.timing(.turn) { try acquire(timeout: timeout, isUpkeep: isUpkeep) }
    } else {
      try acquire(timeout: timeout, isUpkeep: isUpkeep)
    }
    defer { isHeld ? finish() : release() }
    return try work()
  }

  /// Runs work if no thread is writing now, without waiting. A call that has the lock, and is not writing now, may
  /// run it.
  ///
  /// - Returns: `nil` when another thread writes.
  func holdIfFree<Value>(_ work: () throws -> Value) rethrows -> Value? {
    let isHeld = StoreCall.current?.holds(self) ?? false
    guard isHeld || semaphore.acquireIfFree(evenIfClosed: true), begin() else { return nil }
    defer { isHeld ? finish() : release() }
    return try work()
  }

  /// Runs work on the writing connection, for a call that has the lock and is not writing now.
  ///
  /// - Returns: `nil` for all other calls, whose work does not begin.
  func holdIfHad<Value>(_ work: () throws -> Value) rethrows -> Value? {
    guard StoreCall.current?.holds(self) == true, begin() else { return nil }
    defer { finish() }
    return try work()
  }

  /// Called by a thread that begins to write with the permit.
  ///
  /// - Returns: false when another thread of the call writes. That thread waits for this one, in the middle of its
  ///   transaction.
  private func begin() -> Bool {
    thread.compareExchange(expected: 0, desired: currentThread(), ordering: .acquiringAndReleasing).exchanged
  }

  private func finish() { thread.store(0, ordering: .releasing) }

  private func acquire(timeout: TimeInterval, isUpkeep: Bool) throws {
    if thread.load(ordering: .relaxed) == currentThread() { throw Self.isInTransaction }
    try semaphore.acquire(timeout: max(Self.leastTimeout, timeout), evenIfClosed: isUpkeep, subject: Self.subject) {
      Self.isBusy(timeout)
    }
    thread.store(currentThread(), ordering: .releasing)
  }

  private func release() {
    finish()
    semaphore.release()
  }

  // MARK: - Tasks

  /// Waits for the lock on behalf of a call without a thread. The call then has the lock until ``end(_:)``.
  ///
  /// - Throws: an error when the time is over before other writers have finished, or the call ends in the meantime.
  nonisolated(nonsending) func take(for call: StoreCall, timeout: TimeInterval) async throws {
    let limit = max(Self.leastTimeout, timeout)
    try await semaphore.acquire(for: call, timeout: limit, subject: Self.subject) { Self.isBusy(timeout) }
    call.add(self)
  }

  /// Releases the lock of a call.
  func end(_ call: StoreCall) {
    call.remove(self)
    release()
  }

  // MARK: - The end

  /// True when no thread gets the lock any more.
  var isClosed: Bool { semaphore.isClosed }

  /// Refuses all waiting writers and new ones.
  func close() { semaphore.close(with: StoreClosing()) }

  /// Suspends the caller until no thread has the lock, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    await semaphore.drain(until: deadline)
  }

  // MARK: - Errors

  private static let subject = "waiting for others of this process who write the store"

  static let isInTransaction = DatabaseError(resultCode: .SQLITE_MISUSE, message: NestedWrite.problem)

  private static func isBusy(_ timeout: TimeInterval) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_BUSY, message: "others of this process have been writing for \(timeout) seconds")
  }
}
