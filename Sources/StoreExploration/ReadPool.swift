import Synchronization

/// Bounds how many reads of one kind run at a time, so that the others find a free reader.
///
/// A read that waits holds no thread. It stops waiting at its deadline, and when its task is cancelled.
package final class ReadPool: Sendable {
  private struct State {
    var free: Int
    var nextNumber = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  /// Makes a pool.
  ///
  /// - Parameter count: the number of reads that may run at a time; 1 at least.
  package init(count: Int) { state = Mutex(State(free: max(1, count))) }

  /// The number of reads that wait.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Takes a place; the caller gives it back with ``leave()``.
  ///
  /// - Parameter deadline: the time at which the caller stops waiting.
  /// - Returns: false when no place was free until the deadline.
  /// - Throws: `CancellationError` when the task is cancelled.
  func enter(until deadline: ContinuousClock.Instant) async throws -> Bool {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let timer = Task {
      try? await Task.sleep(until: deadline, clock: .continuous)
      stopWaiting(number)
    }
    defer { timer.cancel() }
    let hasPlace = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          // The timer and the cancellation may have come before the read is in the queue.
          if Task.isCancelled || ContinuousClock.now >= deadline { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      stopWaiting(number)
    }
    if !hasPlace { try Task.checkCancellation() }
    return hasPlace
  }

  /// Gives a place to the read that has waited longest.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }

  private func stopWaiting(_ number: Int) {
    let stopped = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index).continuation
    }
    stopped?.resume(returning: false)
  }
}
