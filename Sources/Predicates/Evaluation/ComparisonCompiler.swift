import Foundation

/// Turns the operator and the right side of a comparison into a test of the left side's value.
///
/// A negated comparison, and `!=`, is the one place where the rule for nulls counts: see ``NullRule``.
struct ComparisonCompiler {
  typealias PairTest = (EvaluatedValue, borrowing EvaluationScope) throws -> Bool

  let test: PairTest

  /// - Parameter isNegated: true when the opposite is wanted.
  init(_ comparison: NSComparisonPredicate, isNegated: Bool = false) throws {
    let holds = try Self.test(comparison)
    guard isNegated != (comparison.predicateOperatorType == .notEqualTo) else {
      test = holds
      return
    }
    let isKnown = KnownComparison(comparison, right: try ExpressionCompiler.value(comparison.rightExpression))
    test = { left, scope in
      if scope.nulls == .asInSQL, try !isKnown(left, scope: scope) { return false }
      return try !holds(left, scope)
    }
  }

  /// The test of a comparison; that of `!=` is the one of `==`.
  private static func test(_ comparison: NSComparisonPredicate) throws -> PairTest {
    let options = comparison.options
    let textOptions = TextOptions(options)
    let right = try ExpressionCompiler.value(comparison.rightExpression)
    let constant = ExpressionCompiler.constant(comparison.rightExpression)
    switch comparison.predicateOperatorType {
    case .equalTo, .notEqualTo: return try equality(right, constant: constant, options: textOptions)
    case .lessThan:
      return order(right, constant: constant, options: options) { $0 == .orderedAscending }
    case .lessThanOrEqualTo:
      return order(right, constant: constant, options: options) { $0 != .orderedDescending }
    case .greaterThan:
      return order(right, constant: constant, options: options) { $0 == .orderedDescending }
    case .greaterThanOrEqualTo:
      return order(right, constant: constant, options: options) { $0 != .orderedAscending }
    case .between: return between(right, options: options)
    case .in: return membership(right, constant: constant, options: textOptions)
    case .contains: return try containment(right, constant: constant, options: textOptions)
    case .beginsWith: return try textual(.beginsWith, right: right, constant: constant, options: textOptions)
    case .endsWith: return try textual(.endsWith, right: right, constant: constant, options: textOptions)
    case .like: return try textual(.like, right: right, constant: constant, options: textOptions)
    case .matches: return try textual(.matches, right: right, constant: constant, options: textOptions)
    }
  }

  // MARK: - Equality

  private static func equality(
    _ right: @escaping ValueClosure,
    constant: EvaluatedValue?,
    options: TextOptions
  ) throws -> PairTest {
    switch constant {
    case .null?:
      return { left, _ in
        if case .null = left { return true }
        return false
      }
    case .number(let number)?:
      return { left, _ in
        guard case .number(let value) = left else { return false }
        return value.compare(number) == .orderedSame
      }
    case .text(let text)?:
      let matcher = try TextMatcher(.equal, pattern: text, options: options)
      return { left, _ in
        guard case .text(let value) = left else { return false }
        return try matcher.matches(value)
      }
    default:
      return { left, scope in try areEqual(left, right: right(scope), options: options) }
    }
  }

  static func areEqual(_ left: EvaluatedValue, right: EvaluatedValue, options: TextOptions) -> Bool {
    if !options.isEmpty, case .text(let a) = left, case .text(let b) = right {
      return TextOrder.areIdentical(options.folded(a), second: options.folded(b))
    }
    return left.isEqual(to: right)
  }

  // MARK: - Order

  static func textOrder(_ options: NSComparisonPredicate.Options) -> TextOrder {
    let textOptions = TextOptions(options)
    return options.contains(.localeSensitive) ? .locale(textOptions) : .folded(textOptions)
  }

  private static func order(
    _ right: @escaping ValueClosure,
    constant: EvaluatedValue?,
    options: NSComparisonPredicate.Options,
    _ holds: @escaping (ComparisonResult) -> Bool
  ) -> PairTest {
    let textOrder = textOrder(options)
    if let constant {
      return { left, _ in
        guard let result = try compare(left, right: constant, order: textOrder) else { return false }
        return holds(result)
      }
    }
    return { left, scope in
      guard let result = try compare(left, right: right(scope), order: textOrder) else { return false }
      return holds(result)
    }
  }

  private static func between(_ right: @escaping ValueClosure, options: NSComparisonPredicate.Options) -> PairTest {
    let textOrder = textOrder(options)
    return { left, scope in
      let limits = try right(scope)
      if case .null = limits { return false }
      guard let values = limits.elements, values.count == 2 else {
        throw PredicateEvaluationError("BETWEEN needs two values on its right side, which is \(limits.typeName)")
      }
      guard let lower = try compare(left, right: EvaluatedValue(values[0]), order: textOrder),
        let upper = try compare(left, right: EvaluatedValue(values[1]), order: textOrder)
      else { return false }
      return lower != .orderedAscending && upper != .orderedDescending
    }
  }

  /// The order of two values; `nil` when one is null or not a number.
  static func compare(_ left: EvaluatedValue, right: EvaluatedValue, order: TextOrder) throws -> ComparisonResult? {
    if let result = left.compare(right, text: order) { return result }
    switch (left, right) {
    case (.null, _), (_, .null), (.number, .number): return nil
    default:
      throw PredicateEvaluationError(
        "The left side, \(left.typeName), and the right side, \(right.typeName), have no order"
      )
    }
  }

  // MARK: - Membership

  private static func membership(
    _ right: @escaping ValueClosure,
    constant: EvaluatedValue?,
    options: TextOptions
  ) -> PairTest {
    if let elements = constant?.elements {
      let members = Set(elements.map { ValueKey(folded(EvaluatedValue($0), options: options)) })
      return { left, _ in members.contains(ValueKey(folded(left, options: options))) }
    }
    return { left, scope in
      switch try right(scope) {
      case .null: return false
      case .text(let whole):
        guard case .text(let part) = left else { return false }
        return try TextMatcher(.contains, pattern: part, options: options).matches(whole)
      case let collection:
        guard let elements = collection.elements else {
          throw PredicateEvaluationError(
            "IN needs a collection or text on its right side, which is \(collection.typeName)"
          )
        }
        return elements.contains { areEqual(left, right: EvaluatedValue($0), options: options) }
      }
    }
  }

  private static func folded(_ value: EvaluatedValue, options: TextOptions) -> EvaluatedValue {
    guard !options.isEmpty, case .text(let text) = value else { return value }
    return .text(options.folded(text))
  }

  private static func containment(
    _ right: @escaping ValueClosure,
    constant: EvaluatedValue?,
    options: TextOptions
  ) throws -> PairTest {
    let prepared = try constantText(constant).map { text in
      try TextMatcher(.contains, pattern: text, options: options)
    }
    return { left, scope in
      switch left {
      case .null: return false
      case .text(let whole):
        if let prepared { return try prepared.matches(whole) }
        switch try right(scope) {
        case .null: return false
        case .text(let part): return try TextMatcher(.contains, pattern: part, options: options).matches(whole)
        case let other: throw PredicateEvaluationError("Text cannot contain the right side, which is \(other.typeName)")
        }
      default:
        guard let elements = left.elements else {
          throw PredicateEvaluationError(
            "CONTAINS needs a collection or text on its left side, which is \(left.typeName)"
          )
        }
        let member = try right(scope)
        return elements.contains { areEqual(EvaluatedValue($0), right: member, options: options) }
      }
    }
  }

  // MARK: - Text

  private static func textual(
    _ operation: TextMatcher.Operation,
    right: @escaping ValueClosure,
    constant: EvaluatedValue?,
    options: TextOptions
  ) throws -> PairTest {
    let prepared = try constantText(constant).map { text in
      try TextMatcher(operation, pattern: text, options: options)
    }
    return { left, scope in
      guard case .text(let text) = left else {
        if case .null = left { return false }
        throw PredicateEvaluationError("The left side is \(left.typeName), not text")
      }
      if let prepared { return try prepared.matches(text) }
      switch try right(scope) {
      case .null: return false
      case .text(let pattern): return try TextMatcher(operation, pattern: pattern, options: options).matches(text)
      case let other: throw PredicateEvaluationError("The right side is \(other.typeName), not text")
      }
    }
  }

  private static func constantText(_ constant: EvaluatedValue?) -> String? {
    guard case .text(let text)? = constant else { return nil }
    return text
  }
}
