import Foundation

extension NSManagedObjectContext {
  /// When work that is handed to a context is to run.
  public enum ScheduledTaskType: Sendable {
    /// At once where the queue is held already, else in its turn.
    case immediate
    /// In its turn, after what is waiting already.
    case enqueued
  }

  /// Runs work on the context's queue, in its turn, and does not wait for it.
  public final func perform(_ block: @escaping () -> Void) {
    queue.async {
      block()
      self.endEvent()
    }
  }

  /// Runs work on the context's queue and waits for it. Inside the queue it runs at once.
  public final func performAndWait<Result, Failure: Error>(
    _ block: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.sync(block)
  }

  /// Runs work on the context's queue, and suspends the caller until it is done.
  nonisolated(nonsending) public final func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if schedule == .immediate, queue.isHeldHere { return try block() }
    let work = UncheckedSendable(block)
    let outcome: UncheckedSendable<Swift.Result<Result, Failure>> = await withCheckedContinuation {
      continuation in
      queue.async {
        let outcome = Swift.Result(catching: work.value)
        self.endEvent()
        continuation.resume(returning: UncheckedSendable(outcome))
      }
    }
    return try outcome.value.get()
  }

  private final func endEvent() {
    processChanges()
    undoManager?.endEvent()
  }
}
