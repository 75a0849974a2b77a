import Foundation
import Predicates

/// Translates calls of the predefined functions into SQL that has the same results.
struct SQLFunctionTranslator {
  private let translator: SQLPredicateTranslator
  private let expression: NSExpression

  init(translator: SQLPredicateTranslator, expression: NSExpression) {
    self.translator = translator
    self.expression = expression
  }

  /// - Throws: an error that names the expression, when it can only be evaluated in memory.
  func scalar(_ name: String, arguments: [NSExpression]) throws -> SQLScalar {
    if name == PredicateFunction.castName { return try cast(arguments) }
    if let size = try size(name, arguments: arguments) { return size }
    if let collection = try aggregated(name, arguments: arguments) { return collection }
    return try scalar(name, of: arguments.map(translator.scalar))
  }

  /// The result of a function of values that are SQL already.
  ///
  /// - Throws: an error that names the expression, when it can only be evaluated in memory.
  func scalar(_ name: String, of values: [SQLScalar]) throws -> SQLScalar {
    switch (name, values.count) {
    case ("noindex:", 1): return values[0]
    case ("add:to:", 2): return try arithmetic(values[0], sign: .add, right: values[1])
    case ("from:subtract:", 2): return try arithmetic(values[0], sign: .subtract, right: values[1])
    case ("multiply:by:", 2): return try arithmetic(values[0], sign: .multiply, right: values[1])
    case ("divide:by:", 2): return try arithmetic(values[0], sign: .divide, right: values[1])
    case ("modulus:by:", 2)
    where values.allSatisfy({ $0.kind == .integer && $0.width <= SQLIntegerWidth.integer }):
      return try arithmetic(values[0], sign: .remainder, right: values[1])
    case ("abs:", 1) where values[0].kind.isNumber: return absolute(values[0])
    case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
      return try text(name, argument: values[0], kind: .text)
    case ("length:", 1): return try text(name, argument: values[0], kind: .integer)
    case _ where NumberFunction.named(name)?.argumentCount == values.count: return try number(name, values: values)
    default: throw unsupported("\(name) has no SQL with the same result")
    }
  }

  /// A function over the elements of a collection: `count:(tags)`, `max:(notes.rating)`.
  private func aggregated(_ name: String, arguments: [NSExpression]) throws -> SQLScalar? {
    let operators = [
      "count:": "@count", "sum:": "@sum", "average:": "@avg", "min:": "@min", "max:": "@max",
    ]
    guard let operation = operators[name] else { return nil }
    guard arguments.count == 1, case .collection(let collection) = try translator.operand(arguments[0]) else {
      throw unsupported("\(name) needs one to-many relationship")
    }
    return try SQLAggregate(name: operation, rest: [], keyPath: "\(expression)").scalar(over: collection)
  }

  /// A function of numbers that SQL lacks, or implements differently.
  private func number(_ name: String, values: [SQLScalar]) throws -> SQLScalar {
    guard values.allSatisfy({ $0.kind.isNumber || $0.kind == .date }) else {
      throw unsupported("\(name) needs numbers")
    }
    let isWhole = values.allSatisfy { $0.kind == .integer } && !Self.isFractional.contains(name)
    let (isBitwise, isRounding) = (Self.bitwise.contains(name), Self.rounding.contains(name))
    let kind: SQLKind = isWhole || isBitwise ? .integer : (isRounding && values[0].kind == .decimal ? .decimal : .real)
    let width = isBitwise ? SQLIntegerWidth.integer : (isRounding ? values[0].width : SQLIntegerWidth.overflowing)
    return SQLScalar(kind, width: width) { try $0.dialect.writeNumberFunction(name, of: values, to: &$0) }
  }

  private static let rounding: Set = ["floor:", "ceiling:", "trunc:"]

  private static let isFractional: Set = ["sqrt:", "log:", "ln:", "exp:"]
  private static let bitwise: Set = [
    "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
    "onesComplement:",
  ]

  /// Converts between a date and its stored number. A value that already has the type is unchanged.
  private func cast(_ arguments: [NSExpression]) throws -> SQLScalar {
    guard arguments.count == 2, case .constant(let name as String) = arguments[1].node else {
      throw unsupported("CAST needs a value and a type")
    }
    let value = try translator.scalar(arguments[0])
    switch (name, value.kind) {
    case ("NSDate", .integer), ("NSDate", .real), ("NSDate", .decimal), ("NSDate", .date):
      return SQLScalar(.date, write: value.write)
    case ("NSNumber", .date): return SQLScalar(.real, write: value.write)
    case ("NSNumber", _) where value.kind.isNumber, ("NSString", .text), ("NSUUID", .uuid), ("NSURL", .uri):
      return value
    case ("NSDecimalNumber", _) where value.kind == .decimal: return value
    case ("NSDecimalNumber", _) where value.kind.isNumber:
      return SQLScalar(.decimal) { try $0.dialect.writeDecimal(of: value, to: &$0) }
    default: throw unsupported("\(value.kind.name) is cast to \(name) only in memory")
    }
  }

  /// `tags[SIZE]`
  private func size(_ name: String, arguments: [NSExpression]) throws -> SQLScalar? {
    guard name == PredicateFunction.subscriptName, arguments.count == 2,
      case .constant(CollectionIndex.size as CollectionIndex) = arguments[1].node,
      case .collection(let collection) = try translator.operand(arguments[0])
    else { return nil }
    return try SQLAggregate(name: "@count", rest: [], keyPath: "\(expression)").scalar(over: collection)
  }

  private func arithmetic(_ left: SQLScalar, sign: SQLCalculation.Operator, right: SQLScalar) throws -> SQLScalar {
    func isCountable(_ kind: SQLKind) -> Bool { kind.isNumber || kind == .date }
    guard isCountable(left.kind), isCountable(right.kind) else {
      throw unsupported("\(left.kind.name) and \(right.kind.name) cannot be calculated with")
    }
    let calculation = SQLCalculation(left: left, sign: sign, right: right)
    return SQLScalar(calculation.kind, width: calculation.width) { try $0.dialect.write(calculation, to: &$0) }
  }

  private func text(_ name: String, argument: SQLScalar, kind: SQLKind) throws -> SQLScalar {
    guard argument.kind == .text else { throw unsupported("\(name) needs text, not \(argument.kind.name)") }
    return SQLScalar(kind, width: SQLIntegerWidth.count) {
      try $0.dialect.writeTextFunction(name, of: argument.write, to: &$0)
    }
  }

  /// The least integer has no opposite in 64 bits.
  private func absolute(_ number: SQLScalar) -> SQLScalar {
    let width = number.width < SQLIntegerWidth.integer ? number.width : SQLIntegerWidth.overflowing
    return SQLScalar(number.kind, width: width) { try $0.dialect.writeAbsolute(of: number, to: &$0) }
  }

  private func unsupported(_ reason: String) -> any Error {
    SQLTranslationFailure.error("\(expression)", reason: reason)
  }
}
