import Foundation
import Predicates

/// The parts of a fetch that decide the text of its query in a given schema, for a predicate that is one comparison
/// with a constant, or a conjunction of several. Queries of one shape have the same text and bind different values.
struct SQLFetchShape: Hashable {
  /// What a query asks for.
  enum Answer: Hashable {
    case rows, keys, count
  }

  /// A comparison of the value at a key path with a constant.
  struct Comparison: Hashable {
    let keyPath: String
    let operation: NSComparisonPredicate.Operator
    let constant: ConstantKind
  }

  /// The kinds of constants, as far as a database may want another text for them.
  enum ConstantKind: Hashable {
    case integer, unsigned, real, decimal, text, date, object
  }

  private struct Order: Hashable {
    let key: String
    let isAscending: Bool
    let selector: String
  }

  let entity: Int32
  let comparisons: [Comparison]
  private let includesSubentities: Bool
  private let answer: Answer
  private let order: [Order]
  private let limit: Int

  /// A predicate with more comparisons was probably built from a list, and will hardly be repeated.
  private static let mostComparisons = 20

  /// - Parameter constants: gets the constants of the comparisons, in their order.
  /// - Returns: `nil` for a query whose text may depend on more.
  init?(query: FetchQuery, answer: Answer, constants: inout [EvaluatedValue]) {
    guard query.keys == nil, query.after == nil, query.span == nil, query.beyond == nil, query.slice == nil,
      query.properties == nil, query.offset == 0,
      let comparisons = Self.comparisons(query.predicate, constants: &constants),
      let order = Self.order(query.sortDescriptors)
    else { return nil }
    entity = query.entity.layout.number
    includesSubentities = query.includesSubentities
    self.answer = answer
    self.comparisons = comparisons
    self.order = order
    limit = query.limit
  }

  private static func comparisons(_ predicate: NSPredicate?, constants: inout [EvaluatedValue]) -> [Comparison]? {
    guard let predicate else { return [] }
    switch predicate.node {
    case .comparison(let comparison): return Self.comparison(comparison, constants: &constants).map { [$0] }
    case .compound(.and, let parts):
      if parts.count > mostComparisons { return nil }
      var found: [Comparison] = []
      for part in parts {
        guard case .comparison(let comparison) = part.node,
          let comparison = Self.comparison(comparison, constants: &constants)
        else { return nil }
        found.append(comparison)
      }
      return found
    case .compound, .constant, .opaque: return nil
    }
  }

  private static func comparison(
    _ comparison: NSComparisonPredicate,
    constants: inout [EvaluatedValue]
  ) -> Comparison? {
    guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
      case .keyPath(let keyPath) = comparison.leftExpression.node,
      case .constant(let value) = comparison.rightExpression.node
    else { return nil }
    let operation = comparison.predicateOperatorType
    switch operation {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: break
    default: return nil
    }
    let constant = EvaluatedValue(value)
    guard let kind = ConstantKind(constant) else { return nil }
    constants.append(constant)
    return Comparison(keyPath: keyPath, operation: operation, constant: kind)
  }

  private static func order(_ descriptors: [NSSortDescriptor]) -> [Order]? {
    if descriptors.isEmpty { return [] }
    var order: [Order] = []
    for descriptor in descriptors {
      guard let key = descriptor.key, let selector = descriptor.comparison.selector else { return nil }
      order.append(Order(key: key, isAscending: descriptor.ascending, selector: selector.name))
    }
    return order
  }
}

extension SQLFetchShape.ConstantKind {
  /// - Returns: `nil` for null, which is not bound.
  init?(_ value: EvaluatedValue) {
    switch value {
    case .null: return nil
    case .number(.integer): self = .integer
    case .number(.unsigned): self = .unsigned
    case .number(.double): self = .real
    case .number(.decimal): self = .decimal
    case .text: self = .text
    case .date: self = .date
    case .object: self = .object
    }
  }
}
