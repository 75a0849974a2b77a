import Foundation
import Semaphores

extension FairSemaphore {
  /// Blocks this thread until it has a permit. The wait ends with the call whose work the thread does.
  ///
  /// - Parameters:
  ///   - timeout: the time that the store waits, in seconds.
  ///   - subject: what the thread waits for, as the error of a late call says it.
  ///   - busyError: the error when the time is over.
  func acquire(
    timeout: TimeInterval,
    evenIfClosed: Bool = false,
    subject: String,
    busyError: () -> any Error
  ) throws {
    var (call, number): (StoreCall?, Int?)
    defer { if let number { call?.forget(number) } }
    try acquire(
      until: StoreCall.limit(timeout: timeout),
      evenIfClosed: evenIfClosed,
      waiting: { ContextThreads.whileWaiting($0) },
      willWait: { waiter in
        call = StoreCall.current.flatMap { $0.isBounded ? $0 : nil }
        number = call?.onEnd { self.end(waiter, with: StoreCallEnded(end: $0, subject: subject)) }
      },
      late: { call?.end.map { StoreCallEnded(end: $0, subject: subject) } ?? busyError() }
    )
  }

  /// Suspends the task of a call until it has a permit, or the call ends.
  ///
  /// - Parameters:
  ///   - timeout: the time that the store waits, in seconds.
  ///   - subject: what the call waits for, as the error of a late call says it.
  ///   - busyError: the error when the time is over.
  nonisolated(nonsending) func acquire(
    for call: StoreCall,
    timeout: TimeInterval,
    subject: String,
    busyError: @escaping @Sendable () -> any Error
  ) async throws {
    try call.check(waitingFor: subject)
    if acquireIfFree() { return }
    let limit = call.run { StoreCall.limit(timeout: timeout) }
    let wait = SuspendedWait<Void>()
    let waiter = FairWaiter(.task { wait.resume(with: $0) }, until: limit)
    if acquire(waiter) { return }
    // The limit is the deadline of the call if that is earlier.
    let timer = Deadlines.shared.add(limit) {
      self.end(waiter, with: call.end.map { StoreCallEnded(end: $0, subject: subject) } ?? busyError())
    }
    let number = call.onEnd { self.end(waiter, with: StoreCallEnded(end: $0, subject: subject)) }
    defer {
      call.forget(number)
      Deadlines.shared.remove(timer)
    }
    try await wait.untilResumed()
  }

  /// Suspends the caller until all permits are free, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    let wait = SuspendedWait<Void>()
    whenIdle { wait.resume(with: .success(())) }
    let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
    defer { Deadlines.shared.remove(timer) }
    return (try? await wait.untilResumed()) != nil
  }
}
