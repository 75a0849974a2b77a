import Foundation

extension NSExpression {
  /// True for a value that is written as such, or that replaced a variable. A constant may also be
  /// computed, as from the key path of an object.
  package var isLiteral: Bool { if case .constant = node { true } else { false } }

  /// True when the expression has the same value for every object, and no variable in it needs a value.
  package var isConstant: Bool { hasOneValue([]) }

  /// - Parameter elements: the variables for elements of constant collections.
  private func hasOneValue(_ elements: Set<String>) -> Bool {
    switch node {
    case .constant: true
    case .variable(let name): elements.contains(name)
    case .keyPath(let path): elements.contains { path.hasPrefix("$\($0).") }
    case .evaluatedObject, .anyKey, .block, .fetch, .custom: false
    case .function("valueForKeyPath:", let operand?, _), .function("valueForKey:", let operand?, _):
      operand.hasOneValue(elements)
    case .function(_, let operand, let arguments):
      (operand?.hasOneValue(elements) ?? true)
        && arguments.allSatisfy { $0.hasOneValue(elements) }
    case .set(_, let left, let right): left.hasOneValue(elements) && right.hasOneValue(elements)
    case .aggregate(let expressions): expressions.allSatisfy { $0.hasOneValue(elements) }
    case .subquery(let collection, let variable, let predicate):
      collection.hasOneValue(elements)
        && Self.hasOneValue(predicate, elements: elements.union([variable]))
    case .conditional: false
    }
  }

  private static func hasOneValue(_ predicate: NSPredicate, elements: Set<String>) -> Bool {
    switch predicate.node {
    case .constant: true
    case .comparison(let comparison):
      comparison.leftExpression.hasOneValue(elements)
        && comparison.rightExpression.hasOneValue(elements)
    case .compound(let type, let parts):
      PredicateNode.flattened(type, parts: parts).allSatisfy { hasOneValue($0, elements: elements) }
    case .opaque: false
    }
  }
}
