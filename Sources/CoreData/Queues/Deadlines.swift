import Dispatch
import Synchronization

/// Calls back at given times. Most of what is added is removed before its time comes, which costs
/// nothing but a place in a table.
package final class Deadlines: Sendable {
  package static let shared = Deadlines()

  /// A place in the table: the period of time, and the number in it.
  package struct Entry: Sendable {
    fileprivate let period: Int64
    fileprivate let number: Int
  }

  private struct State {
    var actions: [Int64: [Int: @Sendable () -> Void]] = [:]
    var count = 0
    /// The first period at whose end a check is scheduled; `nil` if none is scheduled.
    var watched: Int64?
  }

  /// The length of a period, in nanoseconds: actions come at most that much later than they should.
  private static let length: Int64 = 5_000_000
  /// A deadline after some hundreds of years is never reached.
  private static let lastPeriod = 1e12
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Has an action done when a time has come.
  package func add(_ time: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Entry {
    let periods = (time - start) / .nanoseconds(Self.length)
    let period = Int64(min(max(periods, 0), Self.lastPeriod))
    let (entry, isFirst) = state.withLock { state in
      state.count += 1
      state.actions[period, default: [:]][state.count] = action
      let isFirst = state.watched.map { period < $0 } ?? true
      if isFirst { state.watched = period }
      return (Entry(period: period, number: state.count), isFirst)
    }
    if isFirst { watch(period) }
    return entry
  }

  package func remove(_ entry: Entry) {
    state.withLock { state in
      state.actions[entry.period]?[entry.number] = nil
      if state.actions[entry.period]?.isEmpty == true { state.actions[entry.period] = nil }
    }
  }

  private func watch(_ period: Int64) {
    let end = start + .nanoseconds(Self.length) * Double(period + 1)
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: end.dispatchTime) { self.look(period) }
  }

  /// Does what has come due.
  private func look(_ watched: Int64) {
    let now = Int64((ContinuousClock.now - start) / .nanoseconds(Self.length))
    let (due, next) = state.withLock { state -> ([@Sendable () -> Void], Int64?) in
      // An earlier one was added meanwhile, whose look is on its way.
      guard state.watched == watched else { return ([], nil) }
      let periods = state.actions.keys.filter { $0 < now }.sorted()
      let due = periods.flatMap { Array((state.actions.removeValue(forKey: $0) ?? [:]).values) }
      state.watched = state.actions.keys.min()
      return (due, state.watched)
    }
    for action in due { action() }
    if let next { watch(next) }
  }
}

extension ContinuousClock.Instant {
  /// The same time on the clock of Dispatch, or that of the next day where it is later.
  package var dispatchTime: DispatchTime {
    let rest = min(max(self - .now, .zero), .seconds(86_400)).components
    return .now() + .nanoseconds(Int(rest.seconds * 1_000_000_000 + rest.attoseconds / 1_000_000_000))
  }
}
