import Foundation

extension NSPredicate {
  /// A copy of the predicate with the results of its `FETCH` expressions in their places.
  ///
  /// Each fetch is carried out once and not for every object, and the predicate can be translated
  /// to SQL. Fetches that differ from object to object stay.
  ///
  /// - Throws: an error of a fetch, or `PredicateEvaluationError` when the value for the request or
  ///   the context has another type.
  package func resolvingFetches() throws -> NSPredicate {
    if isPlainComparison { return self }
    let fetches = TreeNode.predicate(self).fetches
    guard !fetches.isEmpty, TreeHeight.isWithin(.predicate(self)) else { return self }
    var results: [ObjectIdentifier: NSExpression] = [:]
    for fetch in fetches where fetch.isSameForAllObjects {
      results[ObjectIdentifier(fetch)] = NSExpression(
        forConstantValue: try ExpressionEvaluator(fetch).callAsFunction(nil)
      )
    }
    return VariableSubstitution(in: .predicate(self), fetches: results).predicate(self)
  }

  /// True for the commonest predicate, the comparison of a key path with a constant.
  private var isPlainComparison: Bool {
    guard case .comparison(let comparison) = node, case .keyPath = comparison.leftExpression.node,
      case .constant = comparison.rightExpression.node
    else { return false }
    return true
  }
}

extension TreeNode {
  /// The outermost fetches in the tree.
  fileprivate var fetches: [NSExpression] {
    var found: [NSExpression] = []
    var pending = [self]
    while let node = pending.popLast() {
      if case .expression(let expression) = node, case .fetch = expression.node {
        found.append(expression)
      } else {
        node.forEachChild { pending.append($0) }
      }
    }
    return found
  }
}

extension NSExpression {
  /// True when the value depends neither on the evaluated object nor on a variable. Only for trees
  /// that do not nest too deeply.
  fileprivate var isSameForAllObjects: Bool {
    switch node {
    case .constant: true
    case .function(let name, let operand?, let arguments):
      // The argument of these is a key path from the operand.
      operand.isSameForAllObjects
        && (["valueForKeyPath:", "valueForKey:"].contains(name)
          || arguments.allSatisfy(\.isSameForAllObjects))
    case .function(_, nil, let arguments), .aggregate(let arguments): arguments.allSatisfy(\.isSameForAllObjects)
    case .set(_, let left, let right), .fetch(let left, let right, _):
      left.isSameForAllObjects && right.isSameForAllObjects
    case .evaluatedObject, .variable, .keyPath, .subquery, .anyKey, .block, .conditional, .custom: false
    }
  }
}
