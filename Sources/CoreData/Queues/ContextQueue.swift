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
  }

  private struct State {
    var waiting = Line<Turn>()
    /// True while a thread has the queue, or is about to get it.
    var isTaken = false
  }

  private let isMain: Bool
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
  /// - Parameter runsAtOnce: true where the caller is at home on the threads of contexts and has no
  ///   queue: it does the work itself where the queue is free.
  /// - Throws: what the work throws, or the error of a call that ended while it waited.
  nonisolated(nonsending) func run<Result>(
    _ call: StoreCall,
    runsAtOnce: Bool = false,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    do {
      try call.check(waitingFor: Self.subject)
      if isHeldHere { return try call.run(body) }
      if runsAtOnce, takeIfFree() {
        defer { pass() }
        return try hold { try call.run(body) }
      }
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

  /// - Returns: false for the main queue, which has a thread of its own, and for a queue that is taken.
  private func takeIfFree() -> Bool {
    if isMain { return false }
    return state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Hands the queue to the next one who waits for it.
  private func pass() {
    if passToThread() { threads.add(self) }
  }

  /// Hands the queue to the thread that is next, or lets go of it where nobody waits.
  ///
  /// - Returns: true when work is next, for which the queue stays taken.
  private func passToThread() -> Bool {
    let next = state.withLock { state -> Turn? in
      guard let first = state.waiting.first else {
        state.isTaken = false
        return nil
      }
      if case .thread = first { _ = state.waiting.popFirst() }
      return first
    }
    switch next {
    case .thread(let turn): turn.signal()
    case .work: return true
    case nil: break
    }
    return false
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
    ContextThreads.whileWaiting {
      mainQueue.sync {
        do throws(Failure) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
      }
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
