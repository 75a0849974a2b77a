package import Foundation
import Synchronization

/// The cancellation of a run, for the parts of it that wait for something else than the store.
package final class SeedCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let progress: Progress?

  /// - progress: The caller's progress, whose cancellation also cancels the run.
  package init(_ progress: Progress? = nil) { self.progress = progress }

  /// True when the run's task or its progress was cancelled.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } || progress?.isCancelled == true }

  /// The longest time between two checks of `isCancelled`, because a `Progress` calls only its
  /// owner's `cancellationHandler`; `nil` if handlers are called for every cancellation.
  package var interval: Duration? { progress == nil ? nil : .milliseconds(100) }

  /// Checks that the run is not cancelled.
  ///
  /// - Throws: A `SeedError` with the code `cancelled` when it was cancelled.
  package func check() throws(SeedError) {
    guard isCancelled else { return }
    throw SeedError(
      code: .cancelled,
      problem: "seeding was cancelled, and the store is as it was",
      remedy: "seed again"
    )
  }

  /// Cancels the run, from any thread.
  package func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      return Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }

  /// Has a handler called by the thread that cancels, or now if that was before.
  ///
  /// - Returns: The number by which the handler is removed.
  package func addHandler(_ handler: @escaping @Sendable () -> Void) -> Int {
    let (number, isCancelled) = state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return (state.lastNumber, state.isCancelled)
    }
    if isCancelled { handler() }
    return number
  }

  /// Removes a handler. Another thread may be calling it still.
  package func removeHandler(_ number: Int) {
    state.withLock { $0.handlers[number] = nil }
  }
}
