public import Foundation

extension NSExpression {
  /// The value of a constant expression; `nil` is the format language's `NULL`.
  public var constantValue: Any? {
    guard case .constant(let value) = node else { inapplicable("constantValue") }
    return value
  }

  /// The key path of a key path expression.
  public var keyPath: String {
    guard case .keyPath(let keyPath) = node else { inapplicable("keyPath") }
    return keyPath
  }

  /// The name of a function expression with its colons, such as `add:to:`.
  public var function: String {
    guard case .function(let name, _, _) = node else { inapplicable("function") }
    return name
  }

  /// The name, without `$`, of a variable expression or of a subquery's element.
  public var variable: String {
    switch node {
    case .variable(let name): return name
    case .subquery(_, let name, _): return name
    default: inapplicable("variable")
    }
  }

  /// The expression that a function is called on: the target of a message, and for a predefined
  /// function the evaluated object.
  public var operand: NSExpression {
    switch node {
    case .function(_, let operand, _): return operand ?? NSExpression(node: .evaluatedObject)
    case .keyPath: return NSExpression(node: .evaluatedObject)
    default: inapplicable("operand")
    }
  }

  /// The arguments of a function or block expression.
  public var arguments: [NSExpression]? {
    switch node {
    case .function(_, _, let arguments): return arguments
    case .block(_, let arguments): return arguments
    case .keyPath: return [self]
    default: inapplicable("arguments")
    }
  }

  /// The expressions of an aggregate (`[NSExpression]`), or the collection expression of a subquery (`NSExpression`).
  public var collection: Any {
    switch node {
    case .aggregate(let expressions): return expressions
    case .subquery(let collection, _, _): return collection
    default: inapplicable("collection")
    }
  }

  /// The predicate of a subquery or of a conditional expression.
  public var predicate: NSPredicate {
    switch node {
    case .subquery(_, _, let predicate): return predicate
    case .conditional(let predicate, _, _): return predicate
    default: inapplicable("predicate")
    }
  }

  /// The left side of a set expression.
  public var left: NSExpression {
    guard case .set(_, let left, _) = node else { inapplicable("left") }
    return left
  }

  /// The right side of a set expression.
  public var right: NSExpression {
    guard case .set(_, _, let right) = node else { inapplicable("right") }
    return right
  }

  /// The value of a conditional expression whose predicate holds, as an expression.
  public var `true`: NSExpression {
    guard case .conditional(_, let expression, _) = node else { inapplicable("true") }
    return expression
  }

  /// The value of a conditional expression whose predicate does not hold, as an expression.
  public var `false`: NSExpression {
    guard case .conditional(_, _, let expression) = node else { inapplicable("false") }
    return expression
  }

  /// The closure of a block expression.
  public var expressionBlock: Block {
    guard case .block(let block, _) = node else { inapplicable("expressionBlock") }
    return block
  }

  private func inapplicable(_ accessor: String) -> Never {
    fatalError(
      """
      NSExpression.\(accessor) was asked of the expression \(self), which is of the type \
      \(expressionType): ask for its expressionType first.
      """
    )
  }
}
