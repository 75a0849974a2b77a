package import Foundation

/// The contents of an `NSExpression`: the tree's nodes as plain cases, to be switched over.
package enum ExpressionNode {
  /// The operation of a set expression.
  package enum SetOperation: String, Hashable, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
  }

  case constant(Any?)
  case evaluatedObject
  case variable(String)
  case keyPath(String)
  /// A predefined function, without an operand, or a message to the operand's value.
  ///
  /// A key path that does not begin at the evaluated object (`$tag.name`, `SUBQUERY(…).@count`) is
  /// the message `valueForKeyPath:` whose one argument is a key path expression; a subscript is the
  /// predefined function `objectFrom:withIndex:`.
  case function(String, operand: NSExpression?, arguments: [NSExpression])
  case set(SetOperation, NSExpression, NSExpression)
  case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
  case aggregate([NSExpression])
  case anyKey
  case block(NSExpression.Block, [NSExpression])
  case conditional(NSPredicate, NSExpression, NSExpression)
  /// Of an `NSFetchRequestExpression` alone.
  case fetch(request: NSExpression, context: NSExpression, countOnly: Bool)
  /// A subclass's own kind: its `expressionValue(with:context:)` answers.
  case custom(NSExpression.ExpressionType)

  package var expressionType: NSExpression.ExpressionType {
    switch self {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function: .function
    case .set(.union, _, _): .unionSet
    case .set(.intersect, _, _): .intersectSet
    case .set(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .block: .block
    case .conditional: .conditional
    case .fetch: .fetchRequest
    case .custom(let type): type
    }
  }
}

extension ExpressionNode {
  /// Adds what equal nodes share to a hash. The children do not count, but for constants in a list:
  /// they make no hash better that decides between a few predicates, and a tree may be deep.
  func hash(into hasher: inout Hasher) {
    switch self {
    case .constant(let value): EvaluatedValue(value).hash(into: &hasher)
    case .variable(let name), .keyPath(let name): hasher.combine(name)
    case .function(let name, _, let arguments):
      hasher.combine(name)
      hasher.combine(arguments.count)
    case .set(let operation, _, _): hasher.combine(operation)
    case .subquery(_, let name, _): hasher.combine(name)
    case .aggregate(let expressions):
      if let values = Self.constants(expressions) {
        EvaluatedValue(values).hash(into: &hasher)
      } else {
        hasher.combine(expressions.count)
      }
    case .evaluatedObject, .anyKey, .block, .conditional, .fetch, .custom: hasher.combine(expressionType)
    }
  }

  /// The values of expressions that are all constants, else `nil`; of lists in lists as deep as predicates may be.
  package static func constants(_ expressions: [NSExpression]) -> [Any?]? { constants(expressions, depth: 1) }

  private static func constants(_ expressions: [NSExpression], depth: Int) -> [Any?]? {
    guard depth <= TreeHeight.greatest else { return nil }
    var values: [Any?] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions {
      switch expression.node {
      case .constant(let value): values.append(value)
      case .aggregate(let inner):
        guard let innerValues = constants(inner, depth: depth + 1) else { return nil }
        values.append(innerValues)
      default: return nil
      }
    }
    return values
  }
}
