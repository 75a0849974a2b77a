package import Foundation

/// The depth to which a tree is nested, found without recursion.
///
/// Code that walks a tree recurses, and a thread's stack is finite. Functions that can throw refuse trees that nest
/// deeper than `greatest`, and the printer prints such trees in part. The format parser never makes such a tree; only
/// code that builds trees does. Chains such as `(a AND b) AND c` are one level, because they are read as one list.
package enum TreeHeight {
  /// The greatest height that is evaluated, translated and printed.
  package static let greatest = 250

  /// - Throws: `PredicateEvaluationError` when the predicate is nested too deeply.
  package static func check(_ predicate: NSPredicate) throws(PredicateEvaluationError) {
    guard isWithin(.predicate(predicate)) else { throw tooDeep }
  }

  /// - Throws: `PredicateEvaluationError` when the expression is nested too deeply.
  package static func check(_ expression: NSExpression) throws(PredicateEvaluationError) {
    guard isWithin(.expression(expression)) else { throw tooDeep }
  }

  /// - Parameter countsChains: true when each compound of a chain is a level of its own.
  static func isWithin(_ root: TreeNode, greatest: Int = TreeHeight.greatest, countsChains: Bool = false) -> Bool {
    var pending = [(node: root, height: 1)]
    while let (node, height) = pending.popLast() {
      if height > greatest { return false }
      node.forEachChild(nestsChains: countsChains) { pending.append(($0, height + 1)) }
    }
    return true
  }

  /// Returns true when the parser reads the tree as it is written, with parentheses around each compound of a chain.
  static func isParsed(_ root: TreeNode) -> Bool {
    isWithin(root, greatest: FormatParser.greatestHeight, countsChains: true)
  }

  private static var tooDeep: PredicateEvaluationError {
    PredicateEvaluationError(
      "The predicate is nested more than \(greatest) levels deep: put its parts into one AND or OR"
    )
  }
}

/// A node of either kind.
enum TreeNode {
  case predicate(NSPredicate)
  case expression(NSExpression)

  /// Calls the closure with each child. The parts of an AND in an AND, and of an OR in an OR, are the outer one's.
  ///
  /// - Parameter nestsChains: true when each compound has its own parts instead.
  func forEachChild(nestsChains: Bool = false, _ body: (TreeNode) -> Void) {
    switch self {
    case .predicate(let predicate):
      switch predicate.node {
      case .constant, .opaque: break
      case .comparison(let comparison):
        body(.expression(comparison.leftExpression))
        body(.expression(comparison.rightExpression))
      case .compound(let type, let parts):
        (nestsChains ? parts : PredicateNode.flattened(type, parts: parts)).forEach { body(.predicate($0)) }
      }
    case .expression(let expression): Self.forEachChild(of: expression.node, body)
    }
  }

  private static func forEachChild(of node: ExpressionNode, _ body: (TreeNode) -> Void) {
    switch node {
    case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .custom: break
    case .function(_, let operand, let arguments):
      if let operand { body(.expression(operand)) }
      arguments.forEach { body(.expression($0)) }
    case .set(_, let left, let right), .fetch(let left, let right, _):
      body(.expression(left))
      body(.expression(right))
    case .subquery(let collection, _, let predicate):
      body(.expression(collection))
      body(.predicate(predicate))
    case .aggregate(let expressions), .block(_, let expressions):
      expressions.forEach { body(.expression($0)) }
    case .conditional(let predicate, let first, let second):
      body(.predicate(predicate))
      body(.expression(first))
      body(.expression(second))
    }
  }
}

extension PredicateNode {
  /// The parts of a compound. An AND in an AND, and an OR in an OR, are replaced by their parts.
  package static func flattened(_ type: NSCompoundPredicate.LogicalType, parts: [NSPredicate]) -> [NSPredicate] {
    guard type != .not, parts.contains(where: { isCompound($0, type: type) }) else { return parts }
    var flat: [NSPredicate] = []
    var pending = Array(parts.reversed())
    while let part = pending.popLast() {
      if isCompound(part, type: type), let compound = part as? NSCompoundPredicate {
        pending.append(contentsOf: compound.subpredicates.reversed())
      } else {
        flat.append(part)
      }
    }
    return flat
  }

  private static func isCompound(_ predicate: NSPredicate, type: NSCompoundPredicate.LogicalType) -> Bool {
    (predicate as? NSCompoundPredicate)?.compoundPredicateType == type
  }
}
