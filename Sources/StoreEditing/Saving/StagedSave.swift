import Synchronization

/// A save of staged changes, which runs in a task of its own.
///
/// The save does not end when the client that began it leaves. Any client of the session can read its state, and can
/// cancel it.
package final class StagedSave: Sendable {
  /// The progress or the result of the save.
  package enum State: Sendable {
    /// The save does its work, or waits for another writer of this process.
    case running(since: ContinuousClock.Instant)
    /// The save waits for another program that has the lock of the store.
    case waiting(since: ContinuousClock.Instant)
    /// The save has its result.
    case ended(SaveOutcome)
    /// An error has ended the save. The changes are still staged.
    case failed(any Error)
    /// A client has cancelled the save. Nothing was written, and the changes are still staged.
    case cancelled
  }

  /// Saves, and calls its argument when it has waited for another program for a second.
  typealias Work =
    @Sendable (_ whenWaiting: @escaping @Sendable (_ since: ContinuousClock.Instant) -> Void) async throws ->
    SaveOutcome

  private struct Progress {
    var state: State
    var task: Task<Void, Never>?
    /// The streams that end when the save waits or has ended.
    var listeners: [AsyncStream<Void>.Continuation] = []

    var isRunning: Bool { if case .running = state { true } else { false } }

    var hasEnded: Bool { state.isEnd }

    /// Sets a state after `running`.
    mutating func change(to state: State) {
      self.state = state
      for listener in listeners { listener.finish() }
      listeners = []
    }
  }

  /// The number of the save in its session. The first save has the number 1.
  package let number: Int
  private let progress = Mutex(Progress(state: .running(since: .now)))

  /// Begins a save.
  init(number: Int, _ work: @escaping Work) {
    self.number = number
    // The work must not inherit the limits of the request that begins the save.
    let task = Task.detached { [self] in
      do {
        end(.ended(try await work { [weak self] in self?.waits(since: $0) }))
      } catch is CancellationError {
        end(.cancelled)
      } catch {
        end(.failed(error))
      }
    }
    progress.withLock { progress in
      if !progress.hasEnded { progress.task = task }
    }
  }

  package var state: State { progress.withLock { $0.state } }

  /// True when the save has its result, or was cancelled.
  package var hasEnded: Bool { progress.withLock { $0.hasEnded } }

  /// True while the save waits for another program, after the first second of the wait.
  package var isWaiting: Bool { if case .waiting = state { true } else { false } }

  /// Suspends the caller until the save waits for another program or has ended.
  ///
  /// - Parameter limit: the greatest time for which it suspends the caller.
  /// - Returns: the state at that time.
  package func untilNews(within limit: Duration) async -> State {
    let (news, continuation) = AsyncStream.makeStream(of: Void.self)
    let isRunning = progress.withLock { progress in
      if progress.isRunning { progress.listeners.append(continuation) }
      return progress.isRunning
    }
    guard isRunning else { return state }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in news {} }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    return state
  }

  /// Cancels the save, and suspends the caller until it has ended.
  ///
  /// - Returns: the state at the end. It is a result if the changes were already committed.
  package func cancel() async -> State {
    let task = progress.withLock { $0.task }
    task?.cancel()
    await task?.value
    return state
  }

  private func waits(since: ContinuousClock.Instant) {
    progress.withLock { progress in
      if progress.isRunning { progress.change(to: .waiting(since: since)) }
    }
  }

  private func end(_ state: State) {
    progress.withLock { progress in
      progress.change(to: state)
      progress.task = nil
    }
  }
}

extension StagedSave.State {
  /// True for a result.
  package var isEnd: Bool {
    switch self {
    case .running, .waiting: false
    case .ended, .failed, .cancelled: true
    }
  }
}
