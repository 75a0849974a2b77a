import Foundation
import Predicates

/// The order of fetched results, as fetches have it: where an object belongs among others that are in order.
struct FetchedOrder {
  let sorter: Sorter
  let sectioning: FetchedSectioning

  var isSectioned: Bool { sectioning.keyPath != nil }

  func values(of object: NSManagedObject) throws -> [EvaluatedValue] { try sorter.values(of: object) }

  func isBefore(_ one: [EvaluatedValue], other: [EvaluatedValue]) throws -> Bool {
    try sorter.compare(one, second: other) == .orderedAscending
  }

  /// Returns true when objects are in this order; also where the value of one cannot be had.
  func isKept(_ objects: [NSManagedObject]) -> Bool {
    var last: [EvaluatedValue]?
    for object in objects {
      guard let next = try? values(of: object) else { continue }
      if let last, (try? isBefore(next, other: last)) == true { return false }
      last = next
    }
    return true
  }

  /// The indexes at which an object may be inserted: from before the first object that sorts equal to
  /// after the last one.
  func gaps(for values: [EvaluatedValue], in objects: RemainingObjects) throws -> ClosedRange<Int> {
    try objects.gaps { try sorter.compare($0, to: values) }
  }
}

/// The objects of a section, but for some that are about to be taken out.
struct RemainingObjects {
  private let objects: [NSManagedObject]
  /// The indexes that do not count, rising.
  private let removed: [Int]

  init(_ objects: [NSManagedObject], without removed: [Int]) {
    self.objects = objects
    self.removed = removed
  }

  var count: Int { objects.count - removed.count }

  subscript(index: Int) -> NSManagedObject {
    // As many are left out before it as have no more than `index` others before them.
    var low = 0
    var high = removed.count
    while low < high {
      let middle = (low + high) / 2
      if removed[middle] - middle <= index { low = middle + 1 } else { high = middle }
    }
    return objects[index + low]
  }

  /// The number of them that stand before an index of all objects.
  func count(before index: Int) -> Int {
    var low = 0
    var high = removed.count
    while low < high {
      let middle = (low + high) / 2
      if removed[middle] < index { low = middle + 1 } else { high = middle }
    }
    return index - low
  }

  /// The places of what compares as `comparison` says of each of them, by a binary search: one for both ends as long
  /// as nothing is found that is the same to the order.
  func gaps(_ comparison: (NSManagedObject) throws -> ComparisonResult) rethrows -> ClosedRange<Int> {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch try comparison(self[middle]) {
      case .orderedAscending: low = middle + 1
      case .orderedDescending: high = middle
      case .orderedSame:
        let lower = try firstIndex(in: low..<middle) { try comparison($0) != .orderedAscending }
        let upper = try firstIndex(in: middle + 1..<high) { try comparison($0) == .orderedDescending }
        return lower...upper
      }
    }
    return low...low
  }

  /// The first index from which on a condition holds, by a binary search.
  private func firstIndex(in range: Range<Int>, where holds: (NSManagedObject) throws -> Bool) rethrows -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
