import CoreData
import Foundation
import Texts

/// The values that the keys of an expression mean: those that the record was given.
struct ExpressionScope {
  let fields: [SeedField]
  let shape: EntityShape
  /// The most bytes that a text may have that an expression makes.
  let largestText: Int

  /// The value under a path of keys. A property that the record does not give is nil.
  func value(at path: [String]) throws(AttributeConversion.Failure) -> ExpressionValue {
    let property = shape.words.property(named: path[0])
    let field =
      fields.first { $0.key == path[0] }
      ?? fields.first { field in property.map { shape.words.property(named: field.key) === $0 } ?? false }
    guard var value = field?.value else {
      guard property != nil else {
        throw AttributeConversion.Failure(
          code: .unknownKey,
          problem:
            "the expression has the key \"\(path[0].abbreviated)\", and neither the record nor \(shape.name) has it",
          remedy: Suggestion.remedy(
            "key",
            word: path[0],
            among: shape.keys,
            of: "the keys of \(shape.name) are"
          )
        )
      }
      return .null
    }
    var attribute = property as? NSAttributeDescription
    for key in path.dropFirst() {
      guard case .object(let inner) = value else { return try plain(value, attribute: attribute, path: path) }
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements
      attribute = elements?.first { $0.name == key }
      value = inner.first { $0.key == key }?.value ?? .null
    }
    return try plain(value, attribute: attribute, path: path)
  }

  private func plain(
    _ value: SeedValue,
    attribute: NSAttributeDescription?,
    path: [String]
  ) throws(AttributeConversion.Failure) -> ExpressionValue {
    switch attribute.map({ value.read(as: $0.attributeType) }) ?? value {
    case .null: return .null
    case .bool(let truth): return .bool(truth)
    case .integer(let number): return .number(Decimal(number))
    case .number(let digits):
      guard let number = JSONNumber.decimal(digits) else { break }
      return .number(number)
    case .string(let text), .text(let text):
      guard attribute?.attributeType == .decimalAttributeType, let number = JSONNumber.decimal(text) else {
        return .text(text)
      }
      return .number(number)
    case .date(let date): return .text(ISO8601Date.words(date))
    default: break
    }
    throw AttributeConversion.Failure(
      problem:
        "\(value.kind) under \"\(path.joined(separator: ".").abbreviated)\" cannot be in an expression",
      remedy:
        "use keys of strings, booleans, and numbers of at most 38 digits, which the record gives as they are"
    )
  }
}

extension SeedExpression {
  func value(in scope: ExpressionScope) throws(AttributeConversion.Failure) -> SeedValue {
    try evaluate(scope).seedValue
  }

  private func evaluate(_ scope: ExpressionScope) throws(AttributeConversion.Failure) -> ExpressionValue {
    switch self {
    case .literal(let value): return value
    case .key(let path): return try scope.value(at: path)
    case .negative(let inner): return .number(-(try Self.number(inner, scope: scope, sign: "-")))
    case .operation(let sign, let one, let other): return try Self.operation(sign, one: one, other: other, scope: scope)
    case .function(let function, let argument): return try Self.function(function, argument: argument, scope: scope)
    case .conditional(let one, let comparison, let other, let then, let otherwise):
      let isTrue = try Self.compares(one.evaluate(scope), comparison: comparison, other: other.evaluate(scope))
      return try (isTrue ? then : otherwise).evaluate(scope)
    }
  }

  private static func operation(
    _ sign: Operator,
    one: SeedExpression,
    other: SeedExpression,
    scope: ExpressionScope
  ) throws(AttributeConversion.Failure) -> ExpressionValue {
    let (first, second) = (
      try one.present(scope, operation: sign.words), try other.present(scope, operation: sign.words)
    )
    switch (sign, first, second) {
    case (.plus, .text, _), (.plus, _, .text):
      let text = words(first) + words(second)
      guard text.utf8.count <= scope.largestText else {
        throw AttributeConversion.Failure(
          code: .tooLarge,
          problem: "the expression makes a text of more than \(scope.largestText) bytes",
          remedy: "shorten it, or allow larger records"
        )
      }
      return .text(text)
    case (_, .number(let first), .number(let second)): return .number(try calculate(sign, one: first, other: second))
    default: throw mismatch(sign.words, first, second)
    }
  }

  private static func calculate(
    _ sign: Operator,
    one: Decimal,
    other: Decimal
  ) throws(AttributeConversion.Failure) -> Decimal {
    guard sign != .by || !other.isZero else {
      throw AttributeConversion.Failure(
        problem: "the expression divides by zero",
        remedy: "correct it, or choose another value by TERNARY(divisor == 0, …, …)"
      )
    }
    // Foundation stops the program for products and quotients beyond its exponents.
    let isCalculable = one.isFinite && other.isFinite && abs(one.exponent) <= 40 && abs(other.exponent) <= 40
    let result: Decimal? =
      switch (isCalculable, sign) {
      case (false, _): nil
      case (_, .plus): one + other
      case (_, .minus): one - other
      case (_, .times): one * other
      case (_, .by): one / other
      }
    guard let result, result.isFinite else {
      throw AttributeConversion.Failure(
        problem: "the expression calculates with numbers that are too large or too small",
        remedy: "use smaller ones"
      )
    }
    return result
  }

  private static func function(
    _ function: Function,
    argument: SeedExpression,
    scope: ExpressionScope
  ) throws(AttributeConversion.Failure) -> ExpressionValue {
    let value = try argument.present(scope, operation: "\(function.rawValue):")
    switch (function, value) {
    case (.uppercase, .text(let text)): return .text(text.uppercased())
    case (.lowercase, .text(let text)): return .text(text.lowercased())
    case (.length, .text(let text)): return .number(Decimal(text.utf16.count))
    case (.abs, .number(let number)): return .number(Swift.abs(number))
    case (.floor, .number(let number)): return .number(rounded(number, mode: .down))
    case (.ceiling, .number(let number)): return .number(rounded(number, mode: .up))
    case (.trunc, .number(let number)): return .number(rounded(number, mode: number.isSignMinus ? .up : .down))
    default: throw mismatch("\(function.rawValue):", value)
    }
  }

  private static func rounded(_ number: Decimal, mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var (number, whole) = (number, Decimal())
    NSDecimalRound(&whole, &number, 0, mode)
    return whole
  }

  private static func compares(
    _ one: ExpressionValue,
    comparison: Comparison,
    other: ExpressionValue
  ) throws(AttributeConversion.Failure) -> Bool {
    switch comparison {
    case .equal: return one == other
    case .notEqual: return one != other
    default: break
    }
    let isLess: Bool
    switch (one, other) {
    case (.number(let first), .number(let second)): isLess = first < second
    case (.text(let first), .text(let second)): isLess = first < second
    default: throw mismatch(comparison.rawValue, one, other)
    }
    return switch comparison {
    case .less: isLess
    case .lessOrEqual: isLess || one == other
    case .greater: !isLess && one != other
    default: !isLess
    }
  }

  private static func number(_ expression: SeedExpression, scope: ExpressionScope, sign: String)
    throws(AttributeConversion.Failure) -> Decimal
  {
    let value = try expression.present(scope, operation: sign)
    guard case .number(let number) = value else { throw mismatch(sign, value) }
    return number
  }

  /// The value, which an operation has to have: a person without a last name is not to be called "Ada ".
  private func present(_ scope: ExpressionScope, operation: String) throws(AttributeConversion.Failure)
    -> ExpressionValue
  {
    let value = try evaluate(scope)
    guard value == .null else { return value }
    let name =
      if case .key(let path) = self { "\"\(path.joined(separator: ".").abbreviated)\"" } else { "a part" }
    throw AttributeConversion.Failure(
      problem: "the record has no value for \(name) of the expression, and \(operation) needs one",
      remedy: "give one, or choose another by TERNARY(key == nil, …, …)"
    )
  }

  private static func words(_ value: ExpressionValue) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    case .number(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    }
  }

  private static func mismatch(_ operation: String, _ values: ExpressionValue...)
    -> AttributeConversion.Failure
  {
    AttributeConversion.Failure(
      problem:
        "\(operation) in the expression does not go with \(values.map(\.kind).joined(separator: " and "))",
      remedy: "correct the expression, or the values of the record"
    )
  }
}

extension SeedExpression.Operator {
  fileprivate var words: String { String(rawValue) }
}
