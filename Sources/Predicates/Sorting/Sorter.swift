package import Foundation

/// Sorts by several descriptors, reading each key of each object once.
package struct Sorter {
  private let descriptors: [NSSortDescriptor]

  package init(_ descriptors: [NSSortDescriptor]) {
    self.descriptors = descriptors
  }

  /// The objects in order; those that are the same to all descriptors stay in the order they came in.
  ///
  /// - Throws: `PredicateEvaluationError` for values without an order, or what an object throws for a key that it
  ///   does not have.
  package func sorted<Element>(_ elements: [Element]) throws -> [Element] {
    if descriptors.isEmpty { return elements }
    let rows = try elements.map { try values(of: $0) }
    let order = try elements.indices.sorted { first, second in
      let result = try compare(rows[first], rows[second])
      return result == .orderedSame ? first < second : result == .orderedAscending
    }
    return order.map { elements[$0] }
  }

  /// The values that an object is sorted by; for inserting into what is sorted already.
  package func values(of object: Any) throws -> [EvaluatedValue] {
    try descriptors.map { descriptor in
      if let descriptor = descriptor as? KeySortDescriptor { return try descriptor.value(of: object) }
      return .object(object)
    }
  }

  /// The order of two objects by their values.
  package func compare(_ first: [EvaluatedValue], _ second: [EvaluatedValue]) throws -> ComparisonResult {
    for (index, descriptor) in descriptors.enumerated() {
      let result: ComparisonResult
      if let descriptor = descriptor as? KeySortDescriptor {
        let order = try descriptor.sortComparison.compare(first[index], second[index])
        result = descriptor.ascending ? order : order.reversed
      } else if case (.object(let a), .object(let b)) = (first[index], second[index]) {
        result = descriptor.compare(a, to: b)
      } else {
        continue
      }
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}
