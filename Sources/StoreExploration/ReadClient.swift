import Synchronization

/// The client that waits for a task's reads. It may disconnect before they end.
package final class ReadClient: Sendable {
  /// The client of the current task; `nil` if a disconnection is not detected.
  @TaskLocal package static var current: ReadClient?

  private struct State {
    var hasLeft = false
    var nextNumber = 0
    var tasks: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of tasks that a disconnection cancels.
  package var taskCount: Int { state.withLock { $0.tasks.count } }

  /// Cancels the tasks of the client.
  package func leave() {
    let cancellations = state.withLock { state in
      state.hasLeft = true
      return Array(state.tasks.values)
    }
    for cancel in cancellations { cancel() }
  }

  /// Runs work in a task. The task is cancelled if the client disconnects or the caller's task is cancelled.
  ///
  /// - Throws: the work's error. After a cancellation, this is usually `CancellationError`.
  package func whileWaiting<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    let number = state.withLock { state -> Int? in
      if state.hasLeft { return nil }
      state.nextNumber += 1
      state.tasks[state.nextNumber] = { task.cancel() }
      return state.nextNumber
    }
    if number == nil { task.cancel() }
    defer { if let number { state.withLock { state in state.tasks[number] = nil } } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
