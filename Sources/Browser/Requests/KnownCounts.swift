import StoreExploration
import Synchronization

/// The numbers of objects that pages have counted lately, by entity: the list of entities on every page shows them
/// without asking the store again.
final class KnownCounts: Sendable {
  /// The time for which a number is shown: others may save meanwhile.
  static let life = Duration.seconds(30)

  private struct Known {
    let count: Int
    let time: ContinuousClock.Instant
  }

  private let counts = Mutex<[String: Known]>([:])

  func add(_ count: Int, of entity: String, at time: ContinuousClock.Instant = .now) {
    counts.withLock { $0[entity] = Known(count: count, time: time) }
  }

  /// The numbers that are not too old.
  func all(at time: ContinuousClock.Instant = .now) -> [String: Int] {
    counts.withLock { counts in
      counts = counts.filter { time - $0.value.time < Self.life }
      return counts.mapValues(\.count)
    }
  }
}
