import CRuntime
import Dispatch
import Foundation
import SQLiteDriver
import Synchronization

/// Lets one call at a time write a store, in the order in which they came.
///
/// A thread waits for the lock. A task is suspended, and its ``StoreCall`` then has the lock until it releases it,
/// on any thread.
final class FairWriteLock: Sendable {
  /// A waiting thread or task.
  private final class Waiter: Sendable {
    /// The call that gets the lock; `nil` for a thread.
    let call: StoreCall?
    private let start = ContinuousClock.now
    /// The time at which its wait ends with an error.
    let limit: ContinuousClock.Instant
    /// Both are only used while `state` is locked.
    nonisolated(unsafe) var hasTurn = false
    nonisolated(unsafe) var isGone = false
    let wake: @Sendable () -> Void
    /// Called when the write lock is closed.
    let refuse: @Sendable () -> Void

    /// True when half of its time is over.
    var isUrgent: Bool {
      let now = ContinuousClock.now
      return start.duration(to: now) > now.duration(to: limit)
    }

    init(
      _ call: StoreCall?,
      until limit: ContinuousClock.Instant,
      _ wake: @escaping @Sendable () -> Void,
      refuse: @escaping @Sendable () -> Void
    ) {
      self.call = call
      self.limit = limit
      self.wake = wake
      self.refuse = refuse
    }
  }

  private struct State {
    var isTaken = false
    /// The thread that is writing, and 0 when none is.
    var thread: UInt = 0
    var waiting = FIFOQueue<Waiter>()
    /// The number of waiters in the queue that have not timed out.
    var waitingCount = 0
    /// True when no thread gets the lock any more.
    var isClosed = false
    /// Callers that wait until no thread has the lock.
    var draining: [SuspendedWait<Void>] = []

    /// Called when a waiter's time is over. It is removed, so that the queue does not fill with such waiters during
    /// a long write.
    mutating func dismiss(_ waiter: Waiter) {
      if waiter.isGone { return }
      waiter.isGone = true
      waitingCount -= 1
      if waiting.count > 2 * waitingCount + FairWriteLock.mostGone { waiting.removeAll(where: \.isGone) }
    }
  }

  private static let mostGone = 64
  private let state = Mutex(State())
  /// Threads of this process wait for each other at least this long, even if the store must not wait for other
  /// processes.
  private static let leastTimeout: TimeInterval = 1

  /// The number of threads and tasks that wait.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// True when a waiting thread has used up half of its time. The owner then releases the lock if its work can be
  /// done later.
  var isUrgent: Bool { state.withLock { $0.waiting.contains { !$0.isGone && $0.isUrgent } } }

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
    let call = StoreCall.current
    let hasTurn = call?.has(turnOf: self) ?? false
    if hasTurn {
      try enterAgain()
    } else if let monitoring {
      try monitoring.timing(.turn) { try enter(call, timeout: timeout, isUpkeep: isUpkeep) }
    } else {
      try enter(call, timeout: timeout, isUpkeep: isUpkeep)
    }
    defer { hasTurn ? leaveAgain() : leave() }
    return try work()
  }

  /// Runs work if no thread is writing now, without waiting. A call that has the lock, and is not writing now, may
  /// run it.
  ///
  /// - Returns: `nil` when another thread writes.
  func holdIfFree<Value>(_ work: () throws -> Value) rethrows -> Value? {
    let hasTurn = StoreCall.current?.has(turnOf: self) ?? false
    let isFree = state.withLock { state in
      if hasTurn ? state.thread != 0 : state.isTaken { return false }
      state.isTaken = true
      state.thread = currentThread()
      return true
    }
    guard isFree else { return nil }
    defer { hasTurn ? leaveAgain() : leave() }
    return try work()
  }

  /// Runs work on the writing connection, for a call that has the lock and is not writing now.
  ///
  /// - Returns: `nil` for all other calls, whose work does not begin.
  func holdIfHad<Value>(_ work: () throws -> Value) rethrows -> Value? {
    guard let call = StoreCall.current, call.has(turnOf: self) else { return nil }
    let isFree = state.withLock { state in
      if state.thread != 0 { return false }
      state.thread = currentThread()
      return true
    }
    guard isFree else { return nil }
    defer { leaveAgain() }
    return try work()
  }

  /// Another thread of the call can only be one that waits for this one, in the middle of its transaction.
  private func enterAgain() throws {
    try state.withLock { state in
      if state.thread != 0 { throw Self.isInTransaction }
      state.thread = currentThread()
    }
  }

  private func leaveAgain() { state.withLock { $0.thread = 0 } }

  private func enter(_ call: StoreCall?, timeout: TimeInterval, isUpkeep: Bool) throws {
    let waiter = try state.withLock { state -> (Waiter, DispatchSemaphore)? in
      if state.thread == currentThread() { throw Self.isInTransaction }
      if state.isClosed, !isUpkeep { throw StoreClosing() }
      if !state.isTaken {
        state.isTaken = true
        state.thread = currentThread()
        return nil
      }
      let semaphore = DispatchSemaphore(value: 0)
      let limit = StoreCall.limit(timeout: max(Self.leastTimeout, timeout))
      let waiter = Waiter(nil, until: limit) {
        semaphore.signal()
      } refuse: {
        semaphore.signal()
      }
      state.waiting.append(waiter)
      state.waitingCount += 1
      return (waiter, semaphore)
    }
    if let (waiter, semaphore) = waiter {
      try wait(waiter, semaphore: semaphore, call: call, timeout: timeout)
    }
  }

  private func wait(
    _ waiter: Waiter,
    semaphore: DispatchSemaphore,
    call: StoreCall?,
    timeout: TimeInterval
  ) throws {
    let call = call?.isBounded == true ? call : nil
    let number = call?.onEnd { _ in semaphore.signal() }
    defer { if let number { call?.forget(number) } }
    ContextThreads.whileWaiting { _ = semaphore.wait(timeout: waiter.limit.dispatchTime) }
    let hasTurn = state.withLock { state in
      if waiter.hasTurn {
        state.thread = currentThread()
        return true
      }
      state.dismiss(waiter)
      return false
    }
    if hasTurn { return }
    if isClosed { throw StoreClosing() }
    try call?.check(waitingFor: Self.subject)
    throw Self.isBusy(timeout)
  }

  private func leave() {
    let (next, draining) = state.withLock { state in
      state.thread = 0
      let next = pass(&state)
      defer { if next == nil { state.draining = [] } }
      return (next, next == nil ? state.draining : [])
    }
    next?.wake()
    for wait in draining { wait.resume(with: .success(())) }
  }

  /// Passes the lock to the next waiter that has not timed out.
  private func pass(_ state: inout State) -> Waiter? {
    while let next = state.waiting.popFirst() {
      if next.isGone { continue }
      next.hasTurn = true
      next.call?.add(turnOf: self)
      state.waitingCount -= 1
      return next
    }
    state.isTaken = false
    return nil
  }

  // MARK: - Tasks

  /// Waits for the lock on behalf of a call without a thread. The call then has the lock until ``end(_:)``.
  ///
  /// - Throws: an error when the time is over before other writers have finished, or the call ends in the meantime.
  nonisolated(nonsending) func take(for call: StoreCall, timeout: TimeInterval) async throws {
    try call.check(waitingFor: Self.subject)
    let isFree = try state.withLock { state in
      if state.isClosed { throw StoreClosing() }
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
    if isFree { return call.add(turnOf: self) }
    let limit = call.run { StoreCall.limit(timeout: max(Self.leastTimeout, timeout)) }
    let wait = SuspendedWait<Void>()
    let waiter = Waiter(call, until: limit) {
      wait.resume(with: .success(()))
    } refuse: {
      wait.resume(with: .failure(StoreClosing()))
    }
    let isWaiting = try state.withLock { state in
      if state.isClosed { throw StoreClosing() }
      if !state.isTaken {
        state.isTaken = true
        return false
      }
      state.waiting.append(waiter)
      state.waitingCount += 1
      return true
    }
    if !isWaiting { return call.add(turnOf: self) }
    let giveUp = { @Sendable (error: any Error) in
      let isGone = self.state.withLock { state in
        if waiter.hasTurn || waiter.isGone { return false }
        state.dismiss(waiter)
        return true
      }
      if isGone { wait.resume(with: .failure(error)) }
    }
    let timer = Deadlines.shared.add(limit) {
      // The limit is the deadline of the call if that is earlier.
      giveUp(call.end.map { StoreCallEnded(end: $0, subject: Self.subject) } ?? Self.isBusy(timeout))
    }
    let number = call.onEnd { giveUp(StoreCallEnded(end: $0, subject: Self.subject)) }
    defer {
      call.forget(number)
      Deadlines.shared.remove(timer)
    }
    try await wait.untilResumed()
  }

  /// Releases the lock of a call.
  func end(_ call: StoreCall) {
    call.remove(turnOf: self)
    leave()
  }

  // MARK: - The end

  /// True when no thread gets the lock any more.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Refuses all waiting writers and new ones.
  func close() {
    let refused = state.withLock { state in
      state.isClosed = true
      var refused: [Waiter] = []
      while let next = state.waiting.popFirst() {
        if next.isGone { continue }
        state.dismiss(next)
        refused.append(next)
      }
      return refused
    }
    for waiter in refused { waiter.refuse() }
  }

  /// Suspends the caller until no thread has the lock, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    let wait = SuspendedWait<Void>()
    let isFree = state.withLock { state in
      if state.isTaken { state.draining.append(wait) }
      return !state.isTaken
    }
    if isFree { return true }
    let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
    defer { Deadlines.shared.remove(timer) }
    return (try? await wait.untilResumed()) != nil
  }

  // MARK: - Errors

  private static let subject = "waiting for others of this process who write the store"

  static let isInTransaction = DatabaseError(
    resultCode: .SQLITE_MISUSE,
    message: """
      the call is in a transaction of this store; fetch and save in the transaction's context, and save when a batch is \
      done, not in its handler
      """
  )

  private static func isBusy(_ timeout: TimeInterval) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_BUSY,
      message: "others of this process have been writing for \(timeout) seconds"
    )
  }
}

/// The error of writes to a store that is being closed.
struct StoreClosing: Error {}
