import Foundation

/// Frees a tree of expressions and predicates without recursion. A node that is freed adds those of
/// its children here that no other code uses, and they are freed one after the other.
///
/// A compound of Foundation's own class at the top is the exception: it frees its parts itself.
struct TreeDismantler {
  private var expressions: [NSExpression] = []
  private var comparisons: [NSComparisonPredicate] = []
  private var compounds: [NSCompoundPredicate] = []

  /// Detaches the children of a node, and leaves it without any.
  mutating func detach(_ node: inout ExpressionNode) {
    let detached = node
    node = .evaluatedObject
    switch detached {
    case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .custom: break
    case .function(_, let operand, let arguments):
      if let operand { expressions.append(operand) }
      expressions.append(contentsOf: arguments)
    case .set(_, let left, let right), .fetch(let left, let right, _):
      expressions.append(left)
      expressions.append(right)
    case .subquery(let collection, _, let predicate):
      expressions.append(collection)
      collect(predicate)
    case .aggregate(let elements), .block(_, let elements): expressions.append(contentsOf: elements)
    case .conditional(let predicate, let first, let second):
      collect(predicate)
      expressions.append(first)
      expressions.append(second)
    }
  }

  /// Detaches a side of a comparison, and leaves a leaf in its place.
  mutating func detach(_ expression: inout NSExpression) {
    guard expression.node.hasChildren else { return }
    expressions.append(expression)
    expression = Self.leaf
  }

  /// Detaches the parts of a compound, and leaves it without any.
  mutating func detachParts(of compound: NSCompoundPredicate) {
    let parts = compound.subpredicates
    compound.subpredicates = []
    for part in parts { collect(part) }
  }

  private mutating func collect(_ predicate: NSPredicate) {
    switch predicate {
    case let comparison as NSComparisonPredicate: comparisons.append(comparison)
    case let compound as NSCompoundPredicate: compounds.append(compound)
    default: break
    }
  }

  /// Frees what was detached.
  mutating func run() {
    while true {
      if var expression = expressions.popLast() {
        if isKnownUniquelyReferenced(&expression) { expression.surrender(to: &self) }
      } else if var comparison = comparisons.popLast() {
        if isKnownUniquelyReferenced(&comparison) { comparison.surrender(to: &self) }
      } else if var compound = compounds.popLast() {
        if isKnownUniquelyReferenced(&compound) { detachParts(of: compound) }
      } else {
        return
      }
    }
  }

  // Immutable: an expression is not changed once it is made.
  nonisolated(unsafe) private static let leaf = NSExpression(node: .evaluatedObject)
}

extension ExpressionNode {
  /// True when there is anything below the node.
  var hasChildren: Bool {
    switch self {
    case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .custom: false
    case .function, .set, .subquery, .aggregate, .block, .conditional, .fetch: true
    }
  }
}
