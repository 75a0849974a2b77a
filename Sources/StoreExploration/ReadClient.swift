import Synchronization

/// The client that waits for the answers to a task's reads, and may leave before it has them.
package final class ReadClient: Sendable {
  /// The client of the current task; `nil` where no client is known to leave.
  @TaskLocal package static var current: ReadClient?

  private struct State {
    var hasLeft = false
    var nextNumber = 0
    var tasks: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The number of pieces of work that end when the client leaves.
  package var taskCount: Int { state.withLock { $0.tasks.count } }

  /// Cancels the work that is done for the client.
  package func leave() {
    let cancellations = state.withLock { state in
      state.hasLeft = true
      return Array(state.tasks.values)
    }
    for cancel in cancellations { cancel() }
  }

  /// Does work in a task that is cancelled when the client leaves, or when the caller's task is cancelled.
  ///
  /// - Throws: what the work throws, which is `CancellationError` as a rule after a cancellation.
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
