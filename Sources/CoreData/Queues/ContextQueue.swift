import CRuntime
import Dispatch
import Foundation
import Semaphores
import Synchronization

/// The queue on which a context or a coordinator is used: the main queue, or one of its own.
///
/// Synchronous work runs at once if the caller already holds the queue, however deep the calls are
/// nested. A private queue has no thread: a thread that waits for the queue runs its own work, and
/// ``ContextThreads`` runs the work that no thread waits for.
final class ContextQueue: Sendable {
  private static let mainKey = DispatchSpecificKey<Bool>()
  private static let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

  /// True for the main queue, which has a thread of its own.
  let isMain: Bool
  /// Its permit belongs to the thread that has the queue, or to work that a thread is about to run.
  private let semaphore = FairSemaphore()
  /// The thread that holds a queue of its own, and 0 when none does. Only that thread can find itself in here.
  private let holder = Atomic<UInt>(0)

  /// The threads that run the work that no thread waits for.
  private let threads: ContextThreads
  /// Observes the uses of the queue of a context whose confinement is checked.
  private let watch: QueueWatch?

  init(isMain: Bool, threads: ContextThreads = .shared, watch: QueueWatch? = nil) {
    self.isMain = isMain
    self.threads = threads
    self.watch = watch
    if isMain { Self.markMainQueue }
  }

  /// True on the main queue, whichever thread works for it.
  static var isMainQueueHere: Bool {
    markMainQueue
    return Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
  }

  /// The number of waiters.
  var waitingCount: Int { semaphore.waitingCount }

  var isHeldHere: Bool {
    isMain
      ? Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true
      : holder.load(ordering: .relaxed) == currentThread()
  }

  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isHeldHere { return try body() }
    watch?.noteUse(isAwaited: true)
    if isMain { return try onMainQueue(body) }
    acquire()
    defer { release() }
    return try hold(body)
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    watch?.noteUse(isAwaited: false)
    enqueue(body)
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    if isMain { return DispatchQueue.main.async(execute: body) }
    if semaphore.acquire(for: body) { threads.add(Job(queue: self, work: body)) }
  }

  /// Runs work in the order of the queue, and suspends the caller until it is done.
  nonisolated(nonsending) func run<Result, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await outcome(of: body).get()
  }

  /// Runs work in the order of the queue, and suspends the caller until it has its result or its error.
  nonisolated(nonsending) func outcome<Result, Failure: Error>(
    of body: @escaping @Sendable () throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    watch?.noteUse(isAwaited: true)
    let outcome: UncheckedSendable<Swift.Result<Result, Failure>> = await withCheckedContinuation {
      continuation in
      enqueue { continuation.resume(returning: UncheckedSendable(Swift.Result(catching: body))) }
    }
    return outcome.value
  }

  /// Runs the work of a call in the order of the queue. The work does not begin if the call has ended.
  ///
  /// - Throws: what the work throws, or the error of a call that ended while it waited.
  nonisolated(nonsending) func run<Result>(
    _ call: StoreCall,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    watch?.noteUse(isAwaited: true)
    let (waiter, wait) = (FairWaiter(.work), SuspendedWait<Result>())
    return try await ending(wait, of: waiter, with: call) {
      if isHeldHere {
        wait.resume(with: Swift.Result { try call.run(body) })
        return true
      }
      let work = { @Sendable in
        if waiter.begin() { wait.resume(with: Swift.Result { try call.run(body) }) }
      }
      if isMain {
        DispatchQueue.main.async(execute: work)
      } else if semaphore.acquire(for: work, waiter: waiter) {
        threads.add(Job(queue: self, work: work))
      }
      return false
    }
  }

  /// Runs the work of a call on the main queue, if that is free within a moment. The caller is not
  /// notified if the queue becomes free later.
  ///
  /// - Returns: `nil` when the queue was not free in time. The work will not begin then, and while
  ///   the queue stays busy, all other callers get `nil` at once.
  nonisolated(nonsending) func runSoon<Result>(
    _ call: StoreCall,
    _ body: @escaping @Sendable () -> Result
  ) async throws -> Result? {
    if Self.isMainQueueBusy.load(ordering: .acquiring) { return nil }
    watch?.noteUse(isAwaited: true)
    let (waiter, wait) = (FairWaiter(.work), SuspendedWait<Result?>())
    let timer = Deadlines.shared.add(.now + Self.moment) {
      guard self.semaphore.end(waiter, with: CancellationError()) else { return }
      Self.isMainQueueBusy.store(true, ordering: .releasing)
      DispatchQueue.main.async { Self.isMainQueueBusy.store(false, ordering: .releasing) }
      wait.resume(with: .success(nil))
    }
    defer { Deadlines.shared.remove(timer) }
    return try await ending(wait, of: waiter, with: call) {
      DispatchQueue.main.async { if waiter.begin() { wait.resume(with: .success(call.run(body))) } }
      return false
    }
  }

  /// True from when the main queue was not free in time until it is.
  private static let isMainQueueBusy = Atomic(false)
  /// The time for which a call that waits for the main queue may keep other calls from writing.
  private static let moment = Duration.milliseconds(50)

  /// Suspends the task of a call until its wait is over. If the call ends before the waiter has the queue, the wait ends
  /// with it.
  ///
  /// - Parameter begin: answers true when there is nothing to wait for.
  private nonisolated(nonsending) func ending<Result>(
    _ wait: SuspendedWait<Result>,
    of waiter: FairWaiter,
    with call: StoreCall,
    _ begin: () -> Bool
  ) async throws -> Result {
    do {
      try call.check(waitingFor: Self.subject)
      if begin() { return try await wait.untilResumed() }
      let number = call.onEnd { end in
        let ended = StoreCallEnded(end: end, subject: Self.subject)
        if self.semaphore.end(waiter, with: ended) { wait.resume(with: .failure(ended)) }
      }
      defer { call.forget(number) }
      return try await wait.untilResumed()
    } catch let ended as StoreCallEnded {
      throw ended.error()
    }
  }

  /// Does work at once on this thread if the queue is free.
  ///
  /// - Returns: `nil` if another thread or task holds it.
  func doIfFree<Value>(_ work: () -> Value) -> Value? {
    watch?.noteUse(isAwaited: true)
    guard semaphore.acquireIfFree() else { return nil }
    defer { release() }
    return hold(work)
  }

  /// Suspends the task of a call until it has the queue, which it releases at once.
  ///
  /// - Throws: the error of a call that ended while it waited.
  nonisolated(nonsending) func waitUntilFree(for call: StoreCall) async throws {
    if isMain { return try await run(call) {} }
    let wait = SuspendedWait<Void>()
    let waiter = FairWaiter(.task { wait.resume(with: $0) })
    try await ending(wait, of: waiter, with: call) {
      let isFree = semaphore.acquire(waiter)
      if isFree { wait.resume(with: .success(())) }
      return isFree
    }
    release()
  }

  private static let subject = "waiting for the queue of its context"

  // MARK: - The permit

  private func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    holder.store(currentThread(), ordering: .relaxed)
    defer { holder.store(0, ordering: .relaxed) }
    return try body()
  }

  /// Waits until this thread has the queue.
  private func acquire() {
    if semaphore.acquireIfFree() { return }
    let door = DispatchSemaphore(value: 0)
    if !semaphore.acquire(FairWaiter(.thread(door))) { ContextThreads.whileWaiting { door.wait() } }
  }

  private func release() { if let work = semaphore.release() { threads.add(Job(queue: self, work: work)) } }

  /// Work that has the queue and waits for a thread.
  struct Job: Sendable {
    fileprivate let queue: ContextQueue
    fileprivate let work: FairSemaphore.Work

    /// Does the work.
    ///
    /// - Returns: the work that has the queue next; `nil` when the queue is free, or a thread or task has it.
    func run() -> Job? {
      queue.hold(work)
      return queue.semaphore.release().map { Job(queue: queue, work: $0) }
    }
  }

  private func onMainQueue<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    var result: Swift.Result<Result, Failure>?
    let mainQueue = DispatchQueue.main
    // The work is the caller's on whichever thread: it has the write locks that the caller has.
    let call = StoreCall.current
    func run() {
      do throws(Failure) {
        result = .success(try body())
      } catch {
        result = .failure(error)
      }
    }
    ContextThreads.whileWaiting {
      mainQueue.sync { if let call { call.run(run) } else { run() } }
    }
    guard let result else { fatalError("the main queue did not run the work of a context.") }
    return try result.get()
  }
}

/// Carries a value to another thread where the queue sees to it that it is used by one at a time.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
