import Synchronization

/// Limits the number of concurrent reads of one kind, so that other reads find a free reader.
///
/// A waiting read does not block a thread. It stops waiting at its deadline, or when its task is cancelled.
package final class ReadPool: Sendable {
  private struct State {
    var free: Int
    var nextNumber = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  /// Makes a pool.
  ///
  /// - Parameter count: the number of concurrent reads, at least 1.
  package init(count: Int) { state = Mutex(State(free: max(1, count))) }

  /// The number of free slots.
  package var freeCount: Int { state.withLock { $0.free } }

  /// The number of waiting reads.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Takes a slot. The caller returns it with ``leave()``.
  ///
  /// - Parameter deadline: the time at which the caller stops waiting.
  /// - Returns: false if no slot was free before the deadline.
  /// - Throws: `CancellationError` if the task is cancelled.
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
          // The deadline or the cancellation may precede the read's entry in the queue.
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

  /// Returns a slot. The read that has waited longest gets it.
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
