import Dispatch
import Synchronization

/// The states of a store that query generations hold, each with a mark of the store's own.
///
/// It does not keep them: a state goes with the last generation that needs it.
package final class PinnedSnapshots<State: PinnedSnapshot, Mark: Sendable>: Sendable {
  package struct Held: Sendable {
    weak var state: State?
    package let began: ContinuousClock.Instant
    var mark: Mark
  }

  private struct Table {
    var last = 0
    var held: [Int: Held] = [:]
  }

  private let table = Mutex(Table())
  /// The queue on which states are closed, so that saving or pinning does not wait for it.
  package let queue: DispatchQueue

  /// - Parameter label: the name of the queue.
  package init(label: String) { queue = DispatchQueue(label: label) }

  // MARK: - States

  /// A number for a state that is about to be held.
  package func reserveNumber() -> Int {
    table.withLock { table in
      table.last += 1
      return table.last
    }
  }

  /// - Returns: true when it is the only one.
  @discardableResult
  package func register(_ state: State, number: Int, mark: Mark) -> Bool {
    let new = Held(state: state, began: .now, mark: mark)
    return table.withLock { table in
      table.held[number] = new
      return table.held.count == 1
    }
  }

  /// Gives a state another mark.
  ///
  /// - Returns: false when the state was released meanwhile.
  @discardableResult
  package func setMark(_ mark: Mark, of number: Int) -> Bool {
    table.withLock { table in
      table.held[number]?.mark = mark
      return table.held[number] != nil
    }
  }

  /// Called when a state's last user releases it, and its connection is closed.
  ///
  /// - Returns: the state's mark, or `nil` when it was released earlier; and whether it was the last state.
  package func release(_ number: Int) -> (mark: Mark?, isLast: Bool) {
    table.withLock { table in
      let mark = table.held.removeValue(forKey: number)?.mark
      return (mark, mark != nil && table.held.isEmpty)
    }
  }

  var count: Int { table.withLock { $0.held.count } }

  var isEmpty: Bool { count == 0 }

  /// The number of states that are held, and the time since the oldest of them began.
  package var activity: (count: Int, oldestAge: Duration?) {
    let began = table.withLock { $0.held.values.map(\.began) }
    return (began.count, began.min().map { $0.duration(to: .now) })
  }

  // MARK: - Bounds

  /// Releases states that are still pinned.
  ///
  /// - Parameter reason: returns the error that readers of the state get; `nil` for a state that stays. It is
  ///   called with the lock held.
  /// - Returns: the marks of the released states.
  @discardableResult
  package func end(_ reason: (Held) -> (any Error)?) -> [Mark] {
    // The entries are copied out of the lock before the states are examined. This code may release the last
    // reference to a state, whose deinitializer takes the lock.
    let ended = table.withLock { table in
      var ended: [(Held, any Error)] = []
      for (number, held) in table.held {
        guard let reason = reason(held) else { continue }
        ended.append((held, reason))
        table.held[number] = nil
      }
      return ended
    }
    close(ended)
    return ended.map(\.0.mark)
  }

  /// Releases the oldest states when there are more than the limit.
  ///
  /// - Returns: the marks of the released states.
  @discardableResult
  package func endOldest(beyond count: Int, reason: any Error) -> [Mark] {
    let ended = table.withLock { table in
      let numbers = table.held.keys.sorted().prefix(max(0, table.held.count - count))
      return numbers.compactMap { table.held.removeValue(forKey: $0) }
    }
    close(ended.map { ($0, reason) })
    return ended.map(\.mark)
  }

  private func close(_ ended: [(Held, any Error)]) {
    if ended.isEmpty { return }
    let states = ended.compactMap { held, reason in
      held.state.map { state in
        state.end(reason)
        return state
      }
    }
    // A read that is under way ends first.
    queue.async { for state in states { try? state.close() } }
  }

  // MARK: - Closing

  /// Suspends the caller until no reader uses a state, at the latest until a deadline.
  ///
  /// - Returns: false when the deadline came first.
  package nonisolated(nonsending) func drain(until deadline: ContinuousClock.Instant) async -> Bool {
    let held = table.withLock { Array($0.held.values) }
    for case let state? in held.map(\.state) where state.isRead {
      let wait = SuspendedWait<Void>()
      state.whenIdle { wait.resume(with: .success(())) }
      let timer = Deadlines.shared.add(deadline) { wait.resume(with: .failure(CancellationError())) }
      defer { Deadlines.shared.remove(timer) }
      if (try? await wait.untilResumed()) == nil { return false }
    }
    return true
  }

  /// Ends the reads of states that are under way.
  package func interrupt() {
    let held = table.withLock { Array($0.held.values) }
    for case let state? in held.map(\.state) { state.interrupt() }
  }

  /// Releases all states. Later reads throw an error.
  ///
  /// - Returns: what became of each state's connection, and the marks of the states.
  package func close() -> (outcomes: [Result<Void, any Error>], marks: [Mark]) {
    let held = table.withLock { table in
      defer { table.held = [:] }
      return Array(table.held.values)
    }
    return (held.compactMap(\.state).map { state in Result { try state.close() } }, held.map(\.mark))
  }
}
