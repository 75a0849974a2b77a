import StoreExploration
import Synchronization

/// The numbers of objects that pages have counted recently, by entity. The list of entities on every page shows
/// them without another read of the store.
final class KnownCounts: Sendable {
  /// The time for which a number is shown. It is short because other processes may save in the meantime.
  static let life = Duration.seconds(30)

  private struct Known {
    let count: Int
    let time: ContinuousClock.Instant
  }

  private let counts = Mutex<[String: Known]>([:])

  func add(_ count: Int, of entity: String, at time: ContinuousClock.Instant = .now) {
    counts.withLock { $0[entity] = Known(count: count, time: time) }
  }

  /// Returns the numbers that are not too old.
  func all(at time: ContinuousClock.Instant = .now) -> [String: Int] {
    counts.withLock { counts in
      counts = counts.filter { time - $0.value.time < Self.life }
      return counts.mapValues(\.count)
    }
  }
}
