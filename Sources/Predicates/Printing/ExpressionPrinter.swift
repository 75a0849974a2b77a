import Foundation

/// Writes expressions in the format language.
enum ExpressionPrinter {
  static func text(of expression: NSExpression) -> String {
    switch expression.node {
    case .constant(let value): return ConstantPrinter.text(of: value)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(let path): return keyPath(path)
    case .function(let name, let operand, let arguments): return function(name, target: operand, arguments: arguments)
    case .set(let operation, let left, let right):
      return "\(operand(left, precedence: 0, isRight: false)) \(operation.rawValue) "
        + operand(right, precedence: 0, isRight: true)
    case .subquery(let collection, let name, let predicate):
      return "SUBQUERY(\(text(of: collection)), $\(name), \(PredicatePrinter.text(of: predicate)))"
    case .aggregate(let expressions):
      return "{" + list(expressions) + "}"
    case .anyKey: return "ANYKEY"
    case .block(_, let arguments): return "BLOCK(\(arguments.map(text(of:)).joined(separator: ", ")))"
    case .conditional(let predicate, let first, let second):
      return "TERNARY(\(PredicatePrinter.text(of: predicate)), \(text(of: first)), \(text(of: second)))"
    case .fetch(let request, let context, let countOnly):
      return "FETCH(\(text(of: request)), \(text(of: context)), \(countOnly ? "YES" : "NO"))"
    case .custom(let type): return "EXPRESSION(\(type))"
    }
  }

  private static func list(_ expressions: [NSExpression]) -> String {
    expressions.map(text(of:)).joined(separator: ", ")
  }

  // MARK: - Key paths

  /// The key path, its first key escaped when it is a reserved word.
  private static func keyPath(_ path: String) -> String {
    let first = path.utf8.prefix { $0 != UInt8(ascii: ".") }
    return FormatKeyword.named(String(Substring(first))) != nil ? "#" + keys(path) : keys(path)
  }

  /// The keys; a key that begins as a number does is escaped. The path is split by bytes, because a
  /// dot and a combining mark after it are one character.
  private static func keys(_ path: String) -> String {
    var result: [UInt8] = []
    var previous: UInt8 = UInt8(ascii: ".")
    for byte in path.utf8 {
      let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      if isDigit, previous == UInt8(ascii: ".") { result.append(UInt8(ascii: "#")) }
      result.append(byte)
      previous = byte
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: - Functions

  private static func function(_ name: String, target: NSExpression?, arguments: [NSExpression]) -> String {
    if let target {
      if name == MessageFunction.valueForKeyPath.rawValue, arguments.count == 1,
        case .keyPath(let path) = arguments[0].node
      {
        return primary(target) + "." + keys(path)
      }
      let selector = ConstantPrinter.text(of: name)
      let rest = arguments.isEmpty ? "" : ", " + list(arguments)
      return "FUNCTION(\(text(of: target)), \(selector)\(rest))"
    }
    if arguments.count == 2 {
      let (first, second) = (arguments[0], arguments[1])
      if let sign = ValueOperator(function: name) {
        let isPower = sign == .power
        return operand(first, precedence: sign.precedence, isRight: isPower)
          + " \(sign.rawValue) "
          + operand(second, precedence: sign.precedence, isRight: !isPower)
      }
      if name == PredicateFunction.subscriptName { return "\(primary(first))[\(index(second))]" }
      if name == PredicateFunction.castName { return "CAST(\(list(arguments)))" }
    }
    return "\(name)(\(list(arguments)))"
  }

  private static func index(_ expression: NSExpression) -> String {
    if case .constant(let symbol as CollectionIndex) = expression.node { return symbol.rawValue }
    return text(of: expression)
  }

  /// A side of an operator, in parentheses when it binds less tightly, or as tightly on the side to
  /// which the operator does not group.
  private static func operand(_ expression: NSExpression, precedence: Int, isRight: Bool) -> String {
    let text = text(of: expression)
    guard let inner = self.precedence(expression) else { return text }
    return inner < precedence || (inner == precedence && isRight) ? "(\(text))" : text
  }

  /// The strength with which an expression's own operator binds; `nil` when it has none.
  private static func precedence(_ expression: NSExpression) -> Int? {
    switch expression.node {
    case .set: 0
    case .function(let name, nil, let arguments) where arguments.count == 2: ValueOperator(function: name)?.precedence
    case .constant(let value?):
      // A minus in front of a number binds less tightly than a subscript or a key after it.
      if case .number(let number) = EvaluatedValue(value), number.double < 0 {
        ValueOperator.power.precedence
      } else {
        nil
      }
    default: nil
    }
  }

  /// The text of an expression that a subscript or a key path follows, in parentheses if it has an operator of its own.
  private static func primary(_ expression: NSExpression) -> String {
    let text = text(of: expression)
    return precedence(expression) == nil ? text : "(\(text))"
  }
}
