import CRuntime
import Foundation
import Synchronization

/// One call of a program that may have to wait: the time by which it is to be done, and whether its
/// result is still needed.
///
/// The thread that does the call's work knows the call, from the block of a context down to the
/// store. Code on that thread may wait for a queue, a lock of this or another process, or a connection.
/// It asks the call how long it may wait, and is notified when the call ends.
package final class StoreCall: Sendable {
  /// The reason why a call is over before it is done.
  package enum End: Sendable {
    case cancelled
    case late
  }

  private struct State {
    var isCancelled = false
    /// The handlers that run when the call ends, by their registration number.
    var handlers: [Int: @Sendable (End) -> Void] = [:]
    var count = 0
    var timer: Deadlines.Entry?
    /// The time at which the call's present save or batch began.
    var begun: ContinuousClock.Instant?
    /// The write locks of stores that the call holds: the identities of ``FairWriteLock`` objects.
    var locks: Set<ObjectIdentifier> = []
    /// True while the call's work fails instead of waiting for a lock of another process.
    var refusesLocks = false
    /// True when work of the call has failed for that reason.
    var hasRefusedLock = false
  }

  /// The time by which the call is to be done; `nil` for any.
  package let deadline: ContinuousClock.Instant?
  /// True when the call ends at its deadline and with its task, even in the middle of its work.
  /// Otherwise it only stops waiting for other processes when its task is cancelled.
  package let isBounded: Bool
  private let state = Mutex(State())

  package init(deadline: ContinuousClock.Instant? = nil, isBounded: Bool = false) {
    self.deadline = deadline
    self.isBounded = isBounded
  }

  /// Does work for a call that ends by a deadline and with the task.
  ///
  /// - Parameter deadline: `nil` for none.
  package nonisolated(nonsending) static func bounded<Result>(
    by deadline: ContinuousClock.Instant?,
    _ work: (StoreCall) async throws -> Result
  ) async throws -> Result {
    let call = StoreCall(deadline: deadline, isBounded: true)
    return try await withTaskCancellationHandler {
      try await work(call)
    } onCancel: {
      call.cancel()
    }
  }

  // MARK: - The call of a thread

  /// The call whose work this thread does.
  package static var current: StoreCall? {
    currentCall().map { Unmanaged<StoreCall>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Does work of the call on this thread.
  package func run<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    // The caller keeps the call alive as long as the work runs.
    let outer = setCurrentCall(Unmanaged.passUnretained(self).toOpaque())
    defer { setCurrentCall(outer) }
    return try work()
  }

  /// Begins a save or a batch: all that it waits for, store by store and time after time, is bounded together.
  static func begin<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard let call = current else {
      let call = StoreCall()
      return try call.run { () throws(Failure) in try call.beginning(work) }
    }
    return try call.beginning(work)
  }

  private func beginning<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    let outer = state.withLock { state in
      let outer = state.begun
      state.begun = .now
      return outer
    }
    defer { state.withLock { $0.begun = outer } }
    return try work()
  }

  /// The time at which this thread stops waiting for other users of a store.
  ///
  /// - Parameter timeout: the time for which the store waits, in seconds.
  package static func limit(timeout: TimeInterval) -> ContinuousClock.Instant {
    // Not a number (NaN) is treated as no timeout.
    let wait = Duration.seconds(timeout > 0 ? min(timeout, longestTimeout) : 0)
    guard let call = current else { return .now + wait }
    let begun = call.state.withLock { $0.begun }
    let own = (begun ?? .now) + wait
    return call.deadline.map { min($0, own) } ?? own
  }

  /// A day, in seconds.
  static let longestTimeout: TimeInterval = 86_400

  // MARK: - The end

  /// True when the task of the call was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// The reason to stop the call, even in the middle of its work; `nil` while the result is still needed.
  package var end: End? {
    if !isBounded { return nil }
    if isCancelled { return .cancelled }
    if let deadline, deadline <= .now { return .late }
    return nil
  }

  /// The work of a call that ended when all changes were written, and before the commit.
  package static let aboutToCommit = "about to commit"

  /// - Throws: ``StoreCallEnded`` when the call is not wanted any more.
  package func check(waitingFor subject: String) throws {
    if let end { throw StoreCallEnded(end: end, subject: subject) }
  }

  /// Ends the call since its task was cancelled.
  func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      return state.handlers.values
    }
    for handler in handlers { handler(.cancelled) }
  }

  /// Adds a handler that runs when the call ends while it waits, or at once if the call has ended.
  ///
  /// - Parameter handler: may be called by any thread, and more than once.
  /// - Returns: a number for ``forget(_:)``.
  package func onEnd(_ handler: @escaping @Sendable (End) -> Void) -> Int {
    let number = state.withLock { state in
      state.count += 1
      state.handlers[state.count] = handler
      if state.timer == nil, let deadline {
        state.timer = Deadlines.shared.add(deadline) { [weak self] in self?.pass() }
      }
      return state.count
    }
    if let end = end ?? (isCancelled ? .cancelled : nil) { handler(end) }
    return number
  }

  /// Called when the wait is over that ``onEnd(_:)`` was called for.
  package func forget(_ number: Int) {
    let timer = state.withLock { state -> Deadlines.Entry? in
      state.handlers[number] = nil
      guard state.handlers.isEmpty else { return nil }
      defer { state.timer = nil }
      return state.timer
    }
    if let timer { Deadlines.shared.remove(timer) }
  }

  /// Called when the deadline has passed.
  private func pass() {
    let handlers = state.withLock { $0.handlers.values }
    for handler in handlers { handler(.late) }
  }

  // MARK: - Locks of other processes

  /// Runs work of the call that fails where it would wait for a lock of another process.
  func refusingLocks<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    state.withLock { state in
      state.refusesLocks = true
      state.hasRefusedLock = false
    }
    defer { state.withLock { $0.refusesLocks = false } }
    return try work()
  }

  /// True while the call's work must not wait for a lock of another process.
  package var refusesLocks: Bool { state.withLock { $0.refusesLocks } }

  /// Called where the call's work would wait for a lock of another process.
  ///
  /// - Returns: true when the work must fail instead. The call then remembers it.
  package func refuseLock() -> Bool {
    state.withLock { state in
      if state.refusesLocks { state.hasRefusedLock = true }
      return state.refusesLocks
    }
  }

  /// True when the last work of ``refusingLocks(_:)`` has met a lock of another process.
  var hasRefusedLock: Bool { state.withLock { $0.hasRefusedLock } }

  // MARK: - Write locks

  func holds(_ lock: AnyObject) -> Bool { state.withLock { $0.locks.contains(ObjectIdentifier(lock)) } }

  func add(_ lock: AnyObject) {
    let lock = ObjectIdentifier(lock)
    state.withLock { _ = $0.locks.insert(lock) }
  }

  func remove(_ lock: AnyObject) {
    let lock = ObjectIdentifier(lock)
    state.withLock { _ = $0.locks.remove(lock) }
  }
}

/// The error of a call that ended before its work was done.
package struct StoreCallEnded: Error {
  let end: StoreCall.End
  /// The lock, queue or work that the call was at.
  let subject: String

  package init(end: StoreCall.End, subject: String) {
    self.end = end
    self.subject = subject
  }

  /// The error that the caller gets.
  ///
  /// - Parameter file: the store that it was about; `nil` for none.
  package func error(file: URL? = nil) -> any Error {
    switch end {
    case .cancelled: CancellationError()
    case .late:
      StoreFailure.error(
        NSPersistentStoreTimeoutError,
        message: """
          \(file.map { "\($0.storeName): " } ?? "")the deadline of the call passed while it was \(subject). Try again \
          later, or give the call more time.
          """,
        file: file
      )
    }
  }
}
