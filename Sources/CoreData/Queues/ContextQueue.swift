import CRuntime
import Dispatch
import Foundation
import Synchronization

/// The queue on which a context or a coordinator is used: the main queue, or one of its own.
///
/// Work that waits runs at once where the queue is already held, however deep the calls are nested.
/// A queue of its own has no thread: who waits for it runs its work on the thread that waits, and
/// what nobody waits for is done by ``ContextThreads``.
final class ContextQueue: Sendable {
  private static let mainKey = DispatchSpecificKey<Bool>()
  private static let markMainQueue: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

  /// Somebody who waits for the queue.
  private enum Turn: Sendable {
    case work(@Sendable () -> Void)
    case thread(DispatchSemaphore)
    case task(SuspendedTurn)
  }

  /// A task that waits, unless its call has ended.
  private final class SuspendedTurn: Sendable {
    let wait = SuspendedWait<Void>()
    private let isClaimed = Mutex(false)

    /// - Returns: true for the one who decides what the task gets.
    func claim() -> Bool {
      isClaimed.withLock { isClaimed in
        defer { isClaimed = true }
        return !isClaimed
      }
    }
  }

  private struct State {
    var waiting = Line<Turn>()
    /// True while a thread has the queue, or is about to get it.
    var isTaken = false
  }

  /// True for the main queue, which has a thread of its own.
  let isMain: Bool
  private let state = Mutex(State())
  /// The thread that holds a queue of its own, and 0 when none does. Only that thread can find
  /// itself in here.
  private let holder = Atomic<UInt>(0)

  /// The threads that do what nobody waits for.
  private let threads: ContextThreads

  init(isMain: Bool, threads: ContextThreads = .shared) {
    self.isMain = isMain
    self.threads = threads
    if isMain { Self.markMainQueue }
  }

  var isHeldHere: Bool {
    isMain
      ? Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) == true
      : holder.load(ordering: .relaxed) == currentThread()
  }

  func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if isHeldHere { return try body() }
    if isMain { return try onMainQueue(body) }
    waitForTurn()
    defer { pass() }
    return try hold(body)
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    if isMain { return DispatchQueue.main.async(execute: body) }
    let isFirst = state.withLock { state in
      state.waiting.append(.work(body))
      defer { state.isTaken = true }
      return !state.isTaken
    }
    if isFirst { threads.add(self) }
  }

  /// Runs work in its turn, and suspends the caller until it is done.
  nonisolated(nonsending) func run<Result, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await outcome(of: body).get()
  }

  /// Runs work in its turn, and suspends the caller until it has its result or its error.
  nonisolated(nonsending) func outcome<Result, Failure: Error>(
    of body: @escaping @Sendable () throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    let outcome: UncheckedSendable<Swift.Result<Result, Failure>> = await withCheckedContinuation {
      continuation in
      async { continuation.resume(returning: UncheckedSendable(Swift.Result(catching: body))) }
    }
    return outcome.value
  }

  /// Runs the work of a call in its turn, which does not begin any more when the call has ended.
  ///
  /// - Throws: what the work throws, or the error of a call that ended while it waited.
  nonisolated(nonsending) func run<Result>(
    _ call: StoreCall,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    do {
      try call.check(waitingFor: Self.subject)
      if isHeldHere { return try call.run(body) }
      let wait = SuspendedWait<Result>()
      let isBegun = Mutex(false)
      let begin = { @Sendable in
        isBegun.withLock { begun in
          defer { begun = true }
          return !begun
        }
      }
      async {
        guard begin() else { return }
        wait.resume(with: Swift.Result { try call.run(body) })
      }
      let number = call.onEnd { end in
        guard begin() else { return }
        wait.resume(with: .failure(StoreCallEnded(end: end, subject: Self.subject)))
      }
      defer { call.forget(number) }
      return try await wait.untilResumed()
    } catch let ended as StoreCallEnded {
      throw ended.error()
    }
  }

  /// Runs the work of a call in its turn, after the task has got what else the work needs. The queue is
  /// held meanwhile, so that nobody else on it waits for what this call has.
  ///
  /// - Parameter preparing: does the work that it is given, once.
  /// - Throws: what they throw, or the error of a call that ended while it waited.
  nonisolated(nonsending) func run<Result>(
    _ call: StoreCall,
    preparing: nonisolated(nonsending) (_ run: () throws -> Result) async throws -> Result,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await take(for: call)
    defer { pass() }
    return try await preparing { try hold { try call.run(body) } }
  }

  /// Waits for the queue without a thread.
  private nonisolated(nonsending) func take(for call: StoreCall) async throws {
    do {
      try call.check(waitingFor: Self.subject)
      let turn = SuspendedTurn()
      let isFree = state.withLock { state in
        defer { state.isTaken = true }
        if state.isTaken { state.waiting.append(.task(turn)) }
        return !state.isTaken
      }
      if isFree { return }
      let number = call.onEnd { end in
        guard turn.claim() else { return }
        turn.wait.resume(with: .failure(StoreCallEnded(end: end, subject: Self.subject)))
      }
      defer { call.forget(number) }
      try await turn.wait.untilResumed()
    } catch let ended as StoreCallEnded {
      throw ended.error()
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

  /// Hands the queue to the next one who waits for it.
  private func pass() {
    if passToThread() { threads.add(self) }
  }

  /// Hands the queue to the thread or task that is next, or lets go of it where nobody waits.
  ///
  /// - Returns: true when work is next, for which the queue stays taken.
  private func passToThread() -> Bool {
    while true {
      let next = state.withLock { state -> Turn? in
        guard let first = state.waiting.first else {
          state.isTaken = false
          return nil
        }
        if case .work = first { return first }
        return state.waiting.popFirst()
      }
      switch next {
      case .thread(let turn):
        turn.signal()
        return false
      case .task(let turn):
        guard turn.claim() else { continue }
        turn.wait.resume(with: .success(()))
        return false
      case .work: return true
      case nil: return false
      }
    }
  }

  /// Does the work that is next. Called by ``ContextThreads`` for a queue that was added to them.
  ///
  /// - Returns: true when work is next again, for which the queue is to be added anew.
  func runNext() -> Bool {
    if case .work(let body) = state.withLock({ $0.waiting.popFirst() }) { hold(body) }
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
