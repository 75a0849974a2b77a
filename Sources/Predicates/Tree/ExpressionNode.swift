package import Foundation

/// What an `NSExpression` holds: the tree's nodes as plain cases, to be switched over.
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
  /// A key path that does not begin at the evaluated object (`$tag.name`, `SUBQUERY(…).@count`) is the message
  /// `valueForKeyPath:` whose one argument is a key path expression; a subscript is the predefined function
  /// `objectFrom:withIndex:`.
  case function(String, operand: NSExpression?, arguments: [NSExpression])
  case set(SetOperation, NSExpression, NSExpression)
  case subquery(collection: NSExpression, variable: String, predicate: NSPredicate)
  case aggregate([NSExpression])
  case anyKey
  case block(NSExpression.Block, [NSExpression])
  case conditional(NSPredicate, NSExpression, NSExpression)
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
    case .custom(let type): type
    }
  }
}

extension ExpressionNode {
  /// Whether both stand for the same tree. An aggregate of constants equals the constant array of their values,
  /// because both print as `{1, 2}`.
  static func areEqual(_ first: ExpressionNode, _ second: ExpressionNode) -> Bool {
    switch (first, second) {
    case (.constant(let a), .constant(let b)):
      return EvaluatedValue(a).isEqual(to: EvaluatedValue(b))
    case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey):
      return true
    case (.variable(let a), .variable(let b)), (.keyPath(let a), .keyPath(let b)):
      return a == b
    case (
      .function(let name1, let operand1, let arguments1), .function(let name2, let operand2, let arguments2)
    ):
      return name1 == name2 && operand1 == operand2 && arguments1 == arguments2
    case (.set(let operation1, let left1, let right1), .set(let operation2, let left2, let right2)):
      return operation1 == operation2 && left1 == left2 && right1 == right2
    case (
      .subquery(let collection1, let name1, let predicate1),
      .subquery(let collection2, let name2, let predicate2)
    ):
      return collection1 == collection2 && name1 == name2 && PredicateNode.areEqual(predicate1, predicate2)
    case (.aggregate(let a), .aggregate(let b)):
      return a == b
    case (.aggregate(let expressions), .constant(let value)),
      (.constant(let value), .aggregate(let expressions)):
      guard let values = constants(expressions) else { return false }
      return EvaluatedValue(values).isEqual(to: EvaluatedValue(value))
    case (
      .conditional(let predicate1, let true1, let false1), .conditional(let predicate2, let true2, let false2)
    ):
      return PredicateNode.areEqual(predicate1, predicate2) && true1 == true2 && false1 == false2
    default:
      return false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .constant(let value): EvaluatedValue(value).hash(into: &hasher)
    case .variable(let name), .keyPath(let name): hasher.combine(name)
    case .function(let name, _, let arguments):
      hasher.combine(name)
      hasher.combine(arguments.count)
    case .set(let operation, let left, let right):
      hasher.combine(operation)
      hasher.combine(left)
      hasher.combine(right)
    case .subquery(let collection, let name, _):
      hasher.combine(collection)
      hasher.combine(name)
    case .aggregate(let expressions):
      if let values = Self.constants(expressions) {
        EvaluatedValue(values).hash(into: &hasher)
      } else {
        hasher.combine(expressions.count)
      }
    case .evaluatedObject, .anyKey, .block, .conditional, .custom:
      hasher.combine(expressionType)
    }
  }

  /// The values of expressions that are all constants, else `nil`.
  package static func constants(_ expressions: [NSExpression]) -> [Any?]? {
    var values: [Any?] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions {
      switch expression.node {
      case .constant(let value): values.append(value)
      case .aggregate(let inner):
        guard let innerValues = constants(inner) else { return nil }
        values.append(innerValues)
      default: return nil
      }
    }
    return values
  }
}
