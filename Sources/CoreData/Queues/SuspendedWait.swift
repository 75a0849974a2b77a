import Synchronization

/// Suspends a task until it gets a value or an error, which may come before it is suspended. Only the first one counts.
package final class SuspendedWait<Value>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private enum State: @unchecked Sendable {
    case begun
    case suspended(CheckedContinuation<UncheckedSendable<Outcome>, Never>)
    /// The value goes to the one task that waits.
    case over(Outcome)
    case taken
  }

  private let state = Mutex(State.begun)

  package init() {}

  /// - Throws: the error that the task is resumed with.
  package nonisolated(nonsending) func untilResumed() async throws -> Value {
    let outcome = await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> UncheckedSendable<Outcome>? in
        if case .over(let outcome) = state {
          state = .taken
          return UncheckedSendable(outcome)
        }
        state = .suspended(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
    return try outcome.value.get()
  }

  package func resume(with outcome: Result<Value, any Error>) {
    let outcome = UncheckedSendable(outcome)
    let continuation = state.withLock { state -> CheckedContinuation<UncheckedSendable<Outcome>, Never>? in
      switch state {
      case .begun:
        state = .over(outcome.value)
        return nil
      case .suspended(let continuation):
        state = .taken
        return continuation
      case .over, .taken: return nil
      }
    }
    continuation?.resume(returning: outcome)
  }
}
