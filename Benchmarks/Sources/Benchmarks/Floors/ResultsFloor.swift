import Foundation
import Samples

/// The least cost of an insertion into results: an object that a map finds by its key, its notification, a
/// binary search for its position among the values of the others, and the insertion into their array.
// Only one thread uses it.
final class ResultsFloor: @unchecked Sendable {
  private let map: FloorMap
  private var results: [FloorSample]
  private var observation: (any NSObjectProtocol)?
  private static let inserted = "inserted"

  private init(_ count: Int) {
    let map = FloorMap(capacity: count)
    self.map = map
    results = (0..<count).map { FloorSample(number: $0, in: map) }
    observation = NotificationCenter.default.addObserver(
      forName: FloorNotifications.name,
      object: nil,
      queue: nil
    ) { [weak self] notification in
      guard let objects = notification.userInfo?[Self.inserted] as? Set<FloorSample> else { return }
      for object in objects { self?.place(object) }
    }
  }

  deinit { observation.map(NotificationCenter.default.removeObserver) }

  static func contender(_ count: Int, insertions: Int) -> Contender {
    let results = ResultsFloor(count)
    return Contender(SampleFloors.name) {
      let before = results.results.count
      for number in 0..<insertions { results.insert(count / insertions * number) }
      precondition(results.results.count == before + insertions)
    }
  }

  private func insert(_ number: Int) {
    let object = FloorSample(number: number, in: map)
    FloorNotifications.tell([Self.inserted: Set([object])])
  }

  private func place(_ object: FloorSample) {
    var (low, high) = (0, results.count)
    while low < high {
      let middle = (low + high) / 2
      if results[middle][0] <= object[0] { low = middle + 1 } else { high = middle }
    }
    results.insert(object, at: low)
  }
}
