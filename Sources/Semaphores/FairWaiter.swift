package import Dispatch
import Synchronization

/// A thread, task or piece of work that waits for a permit of a ``FairSemaphore``. It gets a permit or its wait ends
/// with an error, whichever comes first.
package final class FairWaiter: Sendable {
  /// The way in which a waiter learns the outcome of its wait.
  package enum Wake: Sendable {
    case thread(DispatchSemaphore)
    case task(@Sendable (Result<Void, any Error>) -> Void)
    /// The thread that runs the work asks ``FairWaiter/begin()``.
    case work
  }

  private enum State {
    /// In no queue: not yet, or because its work has the permit and has not begun.
    case outside(Wake)
    case queued(Wake)
    case granted
    case ended(any Error)
  }

  private let state: Mutex<State>
  /// The time at which the wait ends with an error; `nil` for none.
  let limit: ContinuousClock.Instant?
  /// The time at which half of the time until the limit is over.
  private let urgency: ContinuousClock.Instant?

  package init(_ wake: Wake, until limit: ContinuousClock.Instant? = nil) {
    state = Mutex(.outside(wake))
    self.limit = limit
    urgency = limit.map { limit in
      let now = ContinuousClock.now
      return now + (limit - now) / 2
    }
  }

  /// True while the waiter has neither a permit nor an error.
  var isWaiting: Bool {
    state.withLock { state in
      switch state {
      case .outside, .queued: true
      case .granted, .ended: false
      }
    }
  }

  /// The error with which the wait ended; `nil` otherwise.
  var error: (any Error)? { state.withLock { if case .ended(let error) = $0 { error } else { nil } } }

  /// True when half of the waiter's time is over, and it still waits.
  var isUrgent: Bool { urgency.map { $0 < .now } == true && isWaiting }

  /// Grants the permit to work that is about to begin.
  ///
  /// - Returns: false when the wait ended before. The work must not begin then.
  package func begin() -> Bool {
    state.withLock { state in
      if case .ended = state { return false }
      state = .granted
      return true
    }
  }

  /// Called when the waiter gets into a queue.
  ///
  /// - Returns: false when the wait ended before.
  func enqueue() -> Bool {
    state.withLock { state in
      guard case .outside(let wake) = state else { return false }
      state = .queued(wake)
      return true
    }
  }

  /// Called when the waiter is first in the queue and a permit is free. Work can still end until it begins.
  ///
  /// - Returns: `nil` when the wait ended before.
  func grant() -> Wake? {
    state.withLock { state in
      guard case .queued(let wake) = state else { return nil }
      if case .work = wake { state = .outside(wake) } else { state = .granted }
      return wake
    }
  }

  /// Ends the wait with an error.
  ///
  /// - Returns: `nil` when the wait was over already.
  func end(with error: any Error) -> (wake: Wake, wasQueued: Bool)? {
    state.withLock { state in
      let ended: (Wake, Bool)
      switch state {
      case .outside(let wake): ended = (wake, false)
      case .queued(let wake): ended = (wake, true)
      case .granted, .ended: return nil
      }
      state = .ended(error)
      return ended
    }
  }
}
