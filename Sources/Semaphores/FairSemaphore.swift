import Dispatch
import Synchronization

/// A counting semaphore that grants its permits in the order of arrival.
///
/// Threads, tasks and pieces of work wait in one queue. Each wait can end before, with an error: at its limit, when
/// another thread ends it, or when the semaphore is closed.
package final class FairSemaphore: Sendable {
  package typealias Work = @Sendable () -> Void

  private enum Entry: Sendable {
    case waiter(FairWaiter)
    /// Work that can end while it waits.
    case call(FairWaiter, Work)
    case work(Work)

    var waiter: FairWaiter? {
      switch self {
      case .waiter(let waiter), .call(let waiter, _): waiter
      case .work: nil
      }
    }
  }

  /// The receiver of a permit that was released.
  private enum Receiver {
    case waiter(FairWaiter.Wake)
    case work(Work)
    /// The semaphore itself, and the actions that wait until all permits are free.
    case semaphore([Work])
  }

  private struct State {
    var free: Int
    var waiting = FIFOQueue<Entry>()
    /// The number of waiters in the queue whose wait has ended.
    var endedCount = 0
    /// The error of new waiters; `nil` while the semaphore is open.
    var closing: (any Error)?
    /// Called when all permits are free.
    var idleActions: [Work] = []

    var waitingCount: Int { waiting.count - endedCount }

    mutating func take(evenIfClosed: Bool) -> Bool {
      if free == 0 || (closing != nil && !evenIfClosed) { return false }
      free -= 1
      return true
    }

    /// Called when the wait of a waiter in the queue ended. The queue must not fill with such waiters while the permits
    /// are in use for a long time.
    mutating func countEnded() {
      endedCount += 1
      guard endedCount > FairSemaphore.mostEnded, endedCount > waiting.count / 2 else { return }
      // Some of them may have ended just now, and are counted later.
      let count = waiting.count
      waiting.removeAll { $0.waiter?.error != nil }
      endedCount -= count - waiting.count
    }
  }

  private static let mostEnded = 64
  private let permits: Int
  private let state: Mutex<State>

  /// - Parameter permits: the number of permits, at least 1.
  package init(permits: Int = 1) {
    self.permits = permits
    state = Mutex(State(free: permits))
  }

  /// The number of waiters.
  package var waitingCount: Int { state.withLock { $0.waitingCount } }

  /// The number of permits in use.
  package var usedCount: Int { state.withLock { permits - $0.free } }

  /// True when half of the time of a waiter is over.
  package var isUrgent: Bool {
    state.withLock { $0.waiting.contains { $0.waiter?.isUrgent == true } }
  }

  // MARK: - Acquiring

  /// Takes a permit if one is free.
  package func acquireIfFree(evenIfClosed: Bool = false) -> Bool {
    state.withLock { $0.take(evenIfClosed: evenIfClosed) }
  }

  /// Takes a permit if one is free, and adds the waiter to the queue otherwise. A closed semaphore ends the wait at
  /// once.
  ///
  /// - Returns: true when the waiter has the permit without a wait.
  package func acquire(_ waiter: FairWaiter, evenIfClosed: Bool = false) -> Bool {
    acquire(.waiter(waiter), evenIfClosed: evenIfClosed)
  }

  /// Takes a permit for some work if one is free, and adds the work to the queue otherwise. The caller runs the work in
  /// the first case, and the caller of ``release()`` in the second.
  ///
  /// - Parameter waiter: ends the work while it waits; `nil` for work that cannot end. The work has to ask its
  ///   ``FairWaiter/begin()``.
  /// - Returns: true when the work has the permit without a wait.
  package func acquire(for work: @escaping Work, waiter: FairWaiter? = nil) -> Bool {
    acquire(waiter.map { .call($0, work) } ?? .work(work), evenIfClosed: false)
  }

  private func acquire(_ entry: Entry, evenIfClosed: Bool) -> Bool {
    let (isFree, closing) = state.withLock { state -> (Bool, (any Error)?) in
      if state.take(evenIfClosed: evenIfClosed) { return (true, nil) }
      if let closing = state.closing, !evenIfClosed { return (false, closing) }
      if entry.waiter?.enqueue() != false { state.waiting.append(entry) }
      return (false, nil)
    }
    if let closing, let waiter = entry.waiter { end(waiter, with: closing) }
    return isFree
  }

  /// Blocks this thread until it has a permit.
  ///
  /// - Parameters:
  ///   - limit: the time at which the wait ends with an error; `nil` for none.
  ///   - waiting: called around the wait.
  ///   - willWait: called before the wait. Any thread may then end it by ``end(_:with:)``.
  ///   - late: the error of a wait that ends at its limit.
  /// - Throws: the error with which the wait ended.
  package func acquire(
    until limit: @autoclosure () -> ContinuousClock.Instant?,
    evenIfClosed: Bool = false,
    waiting: (_ wait: () -> Void) -> Void = { $0() },
    willWait: (FairWaiter) -> Void = { _ in },
    late: () -> any Error
  ) throws {
    if acquireIfFree(evenIfClosed: evenIfClosed) { return }
    let door = DispatchSemaphore(value: 0)
    let waiter = FairWaiter(.thread(door), until: limit())
    if acquire(waiter, evenIfClosed: evenIfClosed) { return }
    willWait(waiter)
    waiting { _ = door.wait(timeout: Self.time(of: waiter.limit)) }
    if waiter.isWaiting { end(waiter, with: late()) }
    if let error = waiter.error { throw error }
  }

  private static func time(of limit: ContinuousClock.Instant?) -> DispatchTime {
    guard let limit else { return .distantFuture }
    let (seconds, attoseconds) = max(.zero, limit - .now).components
    if seconds > Int64(Int32.max) { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }

  // MARK: - Releasing

  /// Releases a permit, which the first waiter in the queue gets.
  ///
  /// - Returns: the work that has the permit now; `nil` when another waiter or none has it. The caller has to run the
  ///   work and to release the permit again.
  @discardableResult package func release() -> Work? {
    switch state.withLock({ receiver(&$0) }) {
    case .waiter(.thread(let door)): door.signal()
    case .waiter(.task(let resume)): resume(.success(()))
    case .waiter(.work): break
    case .work(let work): return work
    case .semaphore(let actions): for action in actions { action() }
    }
    return nil
  }

  private func receiver(_ state: inout State) -> Receiver {
    while let entry = state.waiting.popFirst() {
      switch entry {
      case .work(let work): return .work(work)
      case .call(let waiter, let work): if waiter.grant() != nil { return .work(work) }
      case .waiter(let waiter): if let wake = waiter.grant() { return .waiter(wake) }
      }
      state.endedCount -= 1
    }
    state.free += 1
    if state.free < permits || state.idleActions.isEmpty { return .semaphore([]) }
    defer { state.idleActions = [] }
    return .semaphore(state.idleActions)
  }

  /// Calls an action when all permits are free: at once, or after the last release.
  package func whenIdle(_ action: @escaping Work) {
    let isIdle = state.withLock { state in
      if state.free < permits { state.idleActions.append(action) }
      return state.free == permits
    }
    if isIdle { action() }
  }

  // MARK: - The end

  /// Ends a wait with an error. A thread or task is resumed.
  ///
  /// - Returns: false when the wait was over already.
  @discardableResult package func end(_ waiter: FairWaiter, with error: any Error) -> Bool {
    guard let ended = waiter.end(with: error) else { return false }
    if ended.wasQueued { state.withLock { $0.countEnded() } }
    switch ended.wake {
    case .thread(let door): door.signal()
    case .task(let resume): resume(.failure(error))
    case .work: break
    }
    return true
  }

  /// True when no caller gets a permit any more.
  package var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Ends all waits, and those of new callers, with an error. Permits in use can still be released, and work that cannot
  /// end still gets its permit.
  package func close(with error: any Error) {
    let waiters = state.withLock { state in
      state.closing = state.closing ?? error
      var waiters: [FairWaiter] = []
      state.waiting.removeAll { entry in
        if let waiter = entry.waiter { waiters.append(waiter) }
        return entry.waiter != nil
      }
      // Each of them is counted when its wait ends.
      state.endedCount -= waiters.count
      return waiters
    }
    for waiter in waiters { end(waiter, with: error) }
  }
}
