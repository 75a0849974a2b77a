import Foundation

/// The operators in key paths, such as `tags.@count` and `items.@sum.price`.
///
/// Null is treated as an empty collection. For an empty collection, the count and the sum are 0,
/// and the other operators return null.
enum CollectionOperator: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  static var list: String { allCases.map(\.rawValue).joined(separator: " ") }

  /// The operator's result over a collection.
  ///
  /// - Parameter read: reads the rest of the key path from an element.
  func apply(
    to collection: EvaluatedValue,
    _ read: (EvaluatedValue) throws -> EvaluatedValue
  ) throws -> EvaluatedValue {
    let elements: [Any?]
    if case .null = collection {
      elements = []
    } else if let present = collection.elements {
      elements = present
    } else {
      throw PredicateEvaluationError("\(rawValue) needs a collection, not a value that is \(collection.typeName)")
    }
    if self == .count { return .number(.integer(Int64(elements.count))) }
    var values: [EvaluatedValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try read(EvaluatedValue(element))
      if let inner = value.elements {
        values.append(contentsOf: inner.map(EvaluatedValue.init))
      } else {
        values.append(value)
      }
    }
    switch self {
    case .count: return .number(.integer(Int64(values.count)))
    case .sum: return try AggregateFunction.sum(values)
    case .average: return try AggregateFunction.average(values)
    case .minimum: return try AggregateFunction.extreme(values, direction: .orderedAscending)
    case .maximum: return try AggregateFunction.extreme(values, direction: .orderedDescending)
    case .unionOfObjects, .unionOfArrays:
      return .object(values.filter { !$0.isNull }.map(\.any))
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
      return .object(AggregateFunction.distinct(values.filter { !$0.isNull }).map(\.any))
    }
  }
}

extension EvaluatedValue {
  package var isNull: Bool {
    if case .null = self { return true }
    return false
  }
}

/// The words that a subscript takes instead of a number: `tags[FIRST]`.
package enum CollectionIndex: String, Hashable, Sendable {
  case first = "FIRST"
  case last = "LAST"
  /// Not an element, but how many there are.
  case size = "SIZE"

  init?(keyword: FormatKeyword) { self.init(rawValue: keyword.rawValue) }
}
