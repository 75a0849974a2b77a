import Synchronization

/// The place of the monitor of a coordinator or a store.
///
/// Where there is none, as nearly everywhere, work has one number to look at.
package final class StoreMonitoring: Sendable {
  private let isOn = Atomic(false)
  private let present = Mutex<(any StoreMonitor)?>(nil)

  package init() {}

  package var monitor: (any StoreMonitor)? {
    get { isOn.load(ordering: .acquiring) ? present.withLock { $0 } : nil }
    set {
      present.withLock { present in
        present = newValue
        isOn.store(newValue != nil, ordering: .releasing)
      }
    }
  }

  /// Does work with several entities, and reports it to the monitor.
  func observing<Value>(_ kind: StoreWork.Kind, _ work: () throws -> Value) throws -> Value {
    guard let monitor else { return try work() }
    return try monitor.observing(StoreWork(kind: kind, entity: nil), { _, _ in }, work)
  }

  /// Does work that may have to wait, and reports its duration to the monitor.
  package func timing<Value>(_ subject: StoreWait, _ work: () throws -> Value) rethrows -> Value {
    guard let monitor else { return try work() }
    let start = ContinuousClock.now
    defer { monitor.waited(start.duration(to: .now), for: subject) }
    return try work()
  }

  /// Suspends the caller while it waits, and reports the duration to the monitor.
  nonisolated(nonsending) func timing(
    _ subject: StoreWait,
    _ work: nonisolated(nonsending) () async throws -> Void
  ) async rethrows {
    guard let monitor else { return try await work() }
    let start = ContinuousClock.now
    defer { monitor.waited(start.duration(to: .now), for: subject) }
    try await work()
  }

  /// Has a block that another thread runs find what belongs to the task of this one.
  // A method of its own, because the compiler cannot convert a block of the other method's type to this type.
  func carrying(_ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let carrier = monitor?.carrier() else { return block }
    return { carrier.carry(block) }
  }

  /// Has a block that another thread runs find what belongs to the task of this one.
  func carrying<Result, Failure: Error>(
    _ block: @escaping @Sendable () throws(Failure) -> Result
  ) -> @Sendable () throws(Failure) -> Result {
    guard let carrier = monitor?.carrier() else { return block }
    return { () throws(Failure) in
      var outcome: Swift.Result<Result, Failure>?
      carrier.carry { outcome = Swift.Result(catching: block) }
      guard let outcome else { fatalError("a TaskCarrier has to do the work that it is given, at once.") }
      return try outcome.get()
    }
  }
}

extension StoreMonitor {
  /// Does work, and reports its beginning and its end to the monitor.
  func observing<Value>(
    _ work: StoreWork,
    _ describe: (Value, inout StoreWorkOutcome) -> Void,
    _ body: () throws -> Value
  ) throws -> Value {
    let end = begin(work)
    var outcome = StoreWorkOutcome()
    defer { end(outcome) }
    do {
      let value = try body()
      describe(value, &outcome)
      return value
    } catch {
      outcome.error = error
      throw error
    }
  }
}
