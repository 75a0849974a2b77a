package import Foundation

/// How the negation of a comparison counts in which a value is missing.
///
/// Both rules agree on every comparison that is not negated: null equals null, and every other comparison with null
/// does not hold. They differ in `!=`, and in `NOT` before a comparison.
package enum NullRule: Sendable {
  /// There are two truth values: what does not hold holds when it is negated. Arrays, atomic stores and stores in
  /// memory work so.
  case asInMemory
  /// A comparison with null is unknown, and so is its negation: neither holds. Databases work so. See
  /// ``KnownComparison`` for what is known nonetheless.
  case asInSQL
}

extension NSPredicate {
  /// True where the predicate may hold by one rule and not by the other: it negates a comparison with something that
  /// may be missing.
  package var dependsOnNullRule: Bool {
    var pending = [TreeNode.predicate(self)]
    while let node = pending.popLast() {
      if case .predicate(let predicate) = node {
        switch predicate.node {
        case .compound(.not, _): return true
        case .comparison(let comparison) where comparison.isNotEqualToValue: return true
        case .constant, .comparison, .compound, .opaque: break
        }
      }
      node.forEachChild { pending.append($0) }
    }
    return false
  }
}

extension NSComparisonPredicate {
  /// True for `!=` that does not compare with nil.
  fileprivate var isNotEqualToValue: Bool {
    func isNil(_ expression: NSExpression) -> Bool {
      if case .constant(let value) = expression.node { EvaluatedValue(value).isNull } else { false }
    }
    return predicateOperatorType == .notEqualTo && !isNil(leftExpression) && !isNil(rightExpression)
  }
}
