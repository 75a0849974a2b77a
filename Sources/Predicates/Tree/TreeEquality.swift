import Foundation

/// Compares two trees node by node, with a list of the remaining nodes instead of recursion.
struct TreeEquality {
  private var pending: [(TreeNode, TreeNode)]

  /// Returns true when both predicates are the same tree; closures are equal only to themselves.
  static func holds(_ first: NSPredicate, second: NSPredicate) -> Bool {
    var equality = TreeEquality(pending: [(.predicate(first), .predicate(second))])
    return equality.holds()
  }

  /// Returns true when both expressions are the same tree.
  static func holds(_ first: NSExpression, second: NSExpression) -> Bool {
    var equality = TreeEquality(pending: [(.expression(first), .expression(second))])
    return equality.holds()
  }

  private mutating func holds() -> Bool {
    while let pair = pending.popLast() {
      switch pair {
      case (.predicate(let first), .predicate(let second)):
        guard first === second || areEqual(first, second: second) else { return false }
      case (.expression(let first), .expression(let second)):
        guard first === second || areEqual(first.node, second: second.node) else { return false }
      default: return false
      }
    }
    return true
  }

  /// Returns true when the nodes are equal, apart from their children, which are put on the list.
  private mutating func areEqual(_ first: NSPredicate, second: NSPredicate) -> Bool {
    switch (first.node, second.node) {
    case (.constant(let a), .constant(let b)): return a == b
    case (.comparison(let a), .comparison(let b)):
      add(a.leftExpression, second: b.leftExpression)
      add(a.rightExpression, second: b.rightExpression)
      return a.predicateOperatorType == b.predicateOperatorType
        && a.comparisonPredicateModifier == b.comparisonPredicateModifier && a.options == b.options
    case (.compound(let type1, let parts1), .compound(let type2, let parts2)):
      for (a, b) in zip(parts1, parts2) { add(a, second: b) }
      return type1 == type2 && parts1.count == parts2.count
    default: return false
    }
  }

  private mutating func areEqual(_ first: ExpressionNode, second: ExpressionNode) -> Bool {
    switch (first, second) {
    case (.constant(let a), .constant(let b)): return EvaluatedValue(a).isEqual(to: EvaluatedValue(b))
    case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): return true
    case (.variable(let a), .variable(let b)), (.keyPath(let a), .keyPath(let b)): return a == b
    case (.function(let name1, let operand1, let list1), .function(let name2, let operand2, let list2)):
      guard name1 == name2, (operand1 == nil) == (operand2 == nil) else { return false }
      if let operand1, let operand2 { add(operand1, second: operand2) }
      return add(list1, second: list2)
    case (.set(let operation1, let left1, let right1), .set(let operation2, let left2, let right2)):
      add(left1, second: left2)
      add(right1, second: right2)
      return operation1 == operation2
    case (.subquery(let list1, let name1, let predicate1), .subquery(let list2, let name2, let predicate2)):
      add(list1, second: list2)
      add(predicate1, second: predicate2)
      return name1 == name2
    case (.aggregate(let a), .aggregate(let b)): return add(a, second: b)
    case (.aggregate(let expressions), .constant(let value)),
      (.constant(let value), .aggregate(let expressions)):
      guard let values = ExpressionNode.constants(expressions) else { return false }
      return EvaluatedValue(values).isEqual(to: EvaluatedValue(value))
    case (.conditional(let predicate1, let a1, let b1), .conditional(let predicate2, let a2, let b2)):
      add(predicate1, second: predicate2)
      add(a1, second: a2)
      add(b1, second: b2)
      return true
    case (.fetch(let request1, let context1, let count1), .fetch(let request2, let context2, let count2)):
      add(request1, second: request2)
      add(context1, second: context2)
      return count1 == count2
    default: return false
    }
  }

  private mutating func add(_ first: NSPredicate, second: NSPredicate) {
    pending.append((.predicate(first), .predicate(second)))
  }

  private mutating func add(_ first: NSExpression, second: NSExpression) {
    pending.append((.expression(first), .expression(second)))
  }

  /// - Returns: true when there are as many in both lists.
  private mutating func add(_ first: [NSExpression], second: [NSExpression]) -> Bool {
    for (a, b) in zip(first, second) { add(a, second: b) }
    return first.count == second.count
  }
}
