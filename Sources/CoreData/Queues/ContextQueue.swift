import CRuntime
import Dispatch
import Foundation
import Synchronization

/// The queue on which a context or a coordinator is used: the main queue, or one of its own.
///
/// Synchronous work runs at once if the caller already holds the queue, however deep the calls are
/// nested. A private queue has no thread: a thread that waits for the queue runs its own work, and
/// ``ContextThreads`` runs the work that no thread waits for.
final class ContextQueue: Sendable {
  private static let mainKey = DispatchSpecificKey<Bool>()
  private static let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

  /// A thread or task that waits for the queue, or work for it.
  private enum Turn: Sendable {
    case work(@Sendable () -> Void)
    case thread(DispatchSemaphore)
    /// The work of a task's call, and a task that does something with the queue itself.
    case call(SuspendedTurn, @Sendable () -> Void)
    case task(SuspendedTurn, SuspendedWait<Void>)

    var isGone: Bool {
      switch self {
      case .call(let turn, _), .task(let turn, _): turn.isGone
      case .work, .thread: false
      }
    }
  }

  /// The turn of a task, which goes when its call ends before.
  private final class SuspendedTurn: Sendable {
    private enum State { case waiting, given, gone }

    private let state = Mutex(State.waiting)

    var isGone: Bool { state.withLock { $0 == .gone } }

    /// - Returns: false when the task has gone.
    func give() -> Bool { end(.given) }

    /// - Returns: false when the task has got its turn.
    func leave() -> Bool { end(.gone) }

    private func end(_ end: State) -> Bool {
      state.withLock { state in
        guard state == .waiting else { return false }
        state = end
        return true
      }
    }
  }

  private struct State {
    var waiting = FIFOQueue<Turn>()
    /// The number of waiters that have left and are still in the list, or more.
    var goneCount = 0
    /// True while a thread has the queue, or is about to get it.
    var isTaken = false

    /// Called when a waiter has left. The waiting list must not fill with waiters that have left
    /// while one thread holds the queue for a long time.
    mutating func countGone() {
      goneCount += 1
      guard goneCount > ContextQueue.mostGone, goneCount > waiting.count / 2 else { return }
      waiting.removeAll(where: \.isGone)
      goneCount = 0
    }
  }

  private static let mostGone = 64

  /// True for the main queue, which has a thread of its own.
  let isMain: Bool
  private let state = Mutex(State())
  /// The thread that holds a queue of its own, and 0 when none does. Only that thread can find
  /// itself in here.
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

  /// The number of waiters in the list.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  var isHeldHere: Bool {
    isMain
      ? Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true
      : holder.load(ordering: .relaxed) == currentThread()
  }

  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isHeldHere { return try body() }
    watch?.noteUse(isAwaited: true)
    if isMain { return try onMainQueue(body) }
    waitForTurn()
    defer { pass() }
    return try hold(body)
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    watch?.noteUse(isAwaited: false)
    enqueue(body)
  }

  private func enqueue(_ body: @escaping @Sendable () -> Void) {
    if isMain { return DispatchQueue.main.async(execute: body) }
    add(.work(body))
  }

  private func add(_ turn: Turn) {
    let isFirst = state.withLock { state in
      state.waiting.append(turn)
      defer { state.isTaken = true }
      return !state.isTaken
    }
    if isFirst { threads.add(self) }
  }

  /// Runs work in the order of the queue, and suspends the caller until it is done.
  nonisolated(nonsending) func run<Result, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await outcome(of: body).get()
  }

  /// Runs work in the order of the queue, and suspends the caller until it has its result or its
  /// error.
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

  /// Runs the work of a call in the order of the queue. The work does not begin if the call has
  /// ended.
  ///
  /// - Throws: what the work throws, or the error of a call that ended while it waited.
  nonisolated(nonsending) func run<Result>(
    _ call: StoreCall,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    watch?.noteUse(isAwaited: true)
    let (turn, wait) = (SuspendedTurn(), SuspendedWait<Result>())
    let work = { @Sendable in wait.resume(with: Swift.Result { try call.run(body) }) }
    return try await leaving(wait, turn: turn, call: call) {
      if isHeldHere {
        work()
        return true
      }
      if isMain {
        DispatchQueue.main.async { if turn.give() { work() } }
      } else {
        add(.call(turn, work))
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
    let (turn, wait) = (SuspendedTurn(), SuspendedWait<Result?>())
    let timer = Deadlines.shared.add(.now + Self.moment) {
      guard turn.leave() else { return }
      Self.isMainQueueBusy.store(true, ordering: .releasing)
      DispatchQueue.main.async { Self.isMainQueueBusy.store(false, ordering: .releasing) }
      wait.resume(with: .success(nil))
    }
    defer { Deadlines.shared.remove(timer) }
    return try await leaving(wait, turn: turn, call: call) {
      DispatchQueue.main.async { if turn.give() { wait.resume(with: .success(call.run(body))) } }
      return false
    }
  }

  /// True from when the main queue was not free in time until it is.
  private static let isMainQueueBusy = Atomic(false)
  /// The time for which a call that waits for the main queue may keep other calls from writing.
  private static let moment = Duration.milliseconds(50)

  /// Suspends the task of a call until its wait is over, which it is when the call ends before it has its
  /// turn.
  ///
  /// - Parameter begin: answers true when there is nothing to wait for.
  private nonisolated(nonsending) func leaving<Result>(
    _ wait: SuspendedWait<Result>,
    turn: SuspendedTurn,
    call: StoreCall,
    _ begin: () -> Bool
  ) async throws -> Result {
    do {
      try call.check(waitingFor: Self.subject)
      if begin() { return try await wait.untilResumed() }
      let number = call.onEnd { end in
        guard turn.leave() else { return }
        self.state.withLock { $0.countGone() }
        wait.resume(with: .failure(StoreCallEnded(end: end, subject: Self.subject)))
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
    let isFree = state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
    guard isFree else { return nil }
    defer { pass() }
    return hold(work)
  }

  /// Suspends the task of a call until it is its turn, which it gives away.
  ///
  /// - Throws: the error of a call that ended while it waited.
  nonisolated(nonsending) func waitUntilFree(for call: StoreCall) async throws {
    if isMain { return try await run(call) {} }
    try await take(for: call)
    pass()
  }

  /// Waits for the queue without a thread.
  private nonisolated(nonsending) func take(for call: StoreCall) async throws {
    let (turn, wait) = (SuspendedTurn(), SuspendedWait<Void>())
    try await leaving(wait, turn: turn, call: call) {
      let isFree = state.withLock { state in
        defer { state.isTaken = true }
        if state.isTaken { state.waiting.append(.task(turn, wait)) }
        return !state.isTaken
      }
      if isFree { wait.resume(with: .success(())) }
      return isFree
    }
  }

  private static let subject = "waiting for the queue of its context"

  // MARK: - Turns

  private func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    holder.store(currentThread(), ordering: .relaxed)
    defer { holder.store(0, ordering: .relaxed) }
    return try body()
  }

  /// Waits until the queue is handed to this thread.
  private func waitForTurn() {
    let turn = state.withLock { state -> DispatchSemaphore? in
      if !state.isTaken {
        state.isTaken = true
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(.thread(turn))
      return turn
    }
    guard let turn else { return }
    ContextThreads.whileWaiting { turn.wait() }
  }

  /// Passes the queue to the next waiter.
  private func pass() {
    if passToThread() { threads.add(self) }
  }

  /// Passes the queue to the thread or task that is next, or releases the queue if no other one
  /// waits.
  ///
  /// - Returns: true when work is next, for which the queue stays taken.
  private func passToThread() -> Bool {
    while true {
      let next = state.withLock { state -> Turn? in
        while state.waiting.first?.isGone == true { _ = state.waiting.popFirst() }
        switch state.waiting.first {
        case nil:
          state.isTaken = false
          return nil
        case .work?, .call?: return state.waiting.first
        case .thread?, .task?: return state.waiting.popFirst()
        }
      }
      switch next {
      case nil: return false
      case .work, .call: return true
      case .thread(let turn):
        turn.signal()
        return false
      case .task(let turn, let wait):
        guard turn.give() else { continue }
        wait.resume(with: .success(()))
        return false
      }
    }
  }

  /// Does the work that is next. Called by ``ContextThreads`` for a queue that was added to them.
  ///
  /// - Returns: true when work is next again, for which the caller has to add the queue again.
  func runNext() -> Bool {
    let work = state.withLock { state -> Turn? in
      // The next call may have ended meanwhile.
      switch state.waiting.first {
      case .work?, .call?: return state.waiting.popFirst()
      case .thread?, .task?, nil: return nil
      }
    }
    switch work {
    case .work(let body): hold(body)
    case .call(let turn, let body): if turn.give() { hold(body) }
    case .thread, .task, nil: break
    }
    return passToThread()
  }

  private func onMainQueue<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    var result: Swift.Result<Result, Failure>?
    let mainQueue = DispatchQueue.main
    // The work is the caller's on whichever thread: it has the turns to write that the caller has.
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
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
