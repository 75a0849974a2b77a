import Foundation

/// Turns expressions into closures.
enum ExpressionCompiler {
  static func value(_ expression: NSExpression) throws -> ValueClosure {
    if let constant = constant(expression) { return { _ in constant } }
    switch expression.node {
    case .constant(let value):
      let constant = EvaluatedValue(value)
      return { _ in constant }
    case .evaluatedObject:
      return { EvaluatedValue($0.object) }
    case .variable(let name):
      return { try $0.value(ofVariable: name) }
    case .keyPath(let path): return try keyPath(path)
    case .function(let name, let operand?, let arguments):
      return try MessageFunction.value(name, target: value(operand), arguments: arguments)
    case .function(let name, nil, let arguments): return try FunctionCompiler.value(name, arguments: arguments)
    case .set(let operation, let left, let right): return try set(operation, left: value(left), right: value(right))
    case .subquery(let collection, let name, let predicate):
      return try subquery(value(collection), name: name, test: PredicateCompiler.test(predicate))
    case .aggregate(let expressions):
      let values = try expressions.map(value)
      return { scope in
        var elements: [Any?] = []
        for value in values { elements.append(try value(scope).any) }
        return .object(elements)
      }
    case .anyKey: throw PredicateEvaluationError("ANYKEY can only be used in Spotlight queries")
    case .block(let block, let arguments): return try self.block(block, arguments: arguments.map(value))
    case .conditional(let predicate, let first, let second):
      let test = try PredicateCompiler.test(predicate)
      let (first, second) = (try value(first), try value(second))
      return { try test($0) ? first($0) : second($0) }
    case .fetch(let request, let context, let countOnly):
      return FetchEvaluation.value(try value(request), context: try value(context), countOnly: countOnly)
    case .custom:
      return { scope in
        let variables = scope.variablesAsDictionary
        return EvaluatedValue(unwrapped(expression.expressionValue(with: scope.object, context: variables)))
      }
    }
  }

  /// The value of an expression that does not depend on anything, else `nil`.
  static func constant(_ expression: NSExpression) -> EvaluatedValue? {
    switch expression.node {
    case .constant(let value): EvaluatedValue(value)
    case .aggregate(let expressions): ExpressionNode.constants(expressions).map { .object($0) }
    default: nil
    }
  }

  /// A key path; `$name.key`, as some libraries spell it in a key path, begins at the variable.
  private static func keyPath(_ path: String) throws -> ValueClosure {
    guard path.hasPrefix("$") else {
      let reader = try KeyPathReader(path)
      return { try reader.value(in: $0) }
    }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1)
    guard let name = parts.first.map(String.init) else {
      throw PredicateEvaluationError("The key path \"\(path)\" names no variable")
    }
    guard parts.count == 2 else { return { try $0.value(ofVariable: name) } }
    let reader = try KeyPathReader(String(parts[1]))
    return { try reader.value(from: $0.value(ofVariable: name)) }
  }

  private static func set(
    _ operation: ExpressionNode.SetOperation,
    left: @escaping ValueClosure,
    right: @escaping ValueClosure
  ) throws -> ValueClosure {
    { scope in
      let (first, second) = (
        try elements(left(scope), user: operation.rawValue),
        try elements(right(scope), user: operation.rawValue)
      )
      let distinct = AggregateFunction.distinct(operation == .union ? first + second : first)
      if operation == .union { return .object(distinct.map(\.any)) }
      let others = Set(second.map { ValueKey($0) })
      let remaining = distinct.filter { others.contains(ValueKey($0)) == (operation == .intersect) }
      return .object(remaining.map(\.any))
    }
  }

  private static func subquery(
    _ collection: @escaping ValueClosure,
    name: String,
    test: @escaping TestClosure
  ) throws -> ValueClosure {
    { scope in
      let element = EvaluationScope.Element(name: name, outer: scope.element)
      var inner = copy scope
      inner.element = element
      var matching: [Any?] = []
      for value in try elements(collection(scope), user: "SUBQUERY") {
        element.value = value
        if try test(inner) { matching.append(value.any) }
      }
      return .object(matching)
    }
  }

  private static func block(_ block: @escaping NSExpression.Block, arguments: [ValueClosure]) throws -> ValueClosure {
    { scope in
      var values: [Any] = []
      for argument in arguments { values.append(try argument(scope).any ?? NSNull()) }
      return EvaluatedValue(unwrapped(block(scope.object, values, scope.variablesAsDictionary)))
    }
  }

  /// The elements of what has to be a collection; of null none.
  static func elements(_ value: EvaluatedValue, user: String) throws -> [EvaluatedValue] {
    if value.isNull { return [] }
    if let elements = value.elements { return elements.map(EvaluatedValue.init) }
    throw PredicateEvaluationError("\(user) needs a collection, not a value that is \(value.typeName)")
  }
}
