import Foundation
import Predicates

/// Turns one comparison of two operands into a condition.
struct SQLComparisonTranslator {
  let comparison: NSComparisonPredicate
  let scope: SQLScope
  let dialect: any SQLDialect
  let textOptions: TextOptions

  init(_ comparison: NSComparisonPredicate, scope: SQLScope, dialect: any SQLDialect) {
    self.comparison = comparison
    self.scope = scope
    self.dialect = dialect
    textOptions = TextOptions(comparison.options)
  }

  /// - Parameter isNegated: true for the opposite condition, which is false where the comparison is unknown.
  func condition(_ left: SQLOperand, right: SQLOperand, isNegated: Bool = false) throws -> SQLCondition {
    switch comparison.predicateOperatorType {
    case .equalTo: return try equality(left, right: right, isNegated: isNegated)
    case .notEqualTo: return try equality(left, right: right, isNegated: !isNegated)
    case .lessThan: return try order(left, sign: .less, right: right, isNegated: isNegated)
    case .lessThanOrEqualTo: return try order(left, sign: .lessOrEqual, right: right, isNegated: isNegated)
    case .greaterThan: return try order(left, sign: .greater, right: right, isNegated: isNegated)
    case .greaterThanOrEqualTo: return try order(left, sign: .greaterOrEqual, right: right, isNegated: isNegated)
    case .between: return try between(left, right: right, isNegated: isNegated)
    case .in: return try membership(of: left, in: right, isNegated: isNegated)
    case .contains: return try containment(left, right: right, isNegated: isNegated)
    case .beginsWith: return try text(.beginsWith, left: left, right: right, isNegated: isNegated)
    case .endsWith: return try text(.endsWith, left: left, right: right, isNegated: isNegated)
    case .like: return try text(.like, left: left, right: right, isNegated: isNegated)
    case .matches: return try text(.matches, left: left, right: right, isNegated: isNegated)
    }
  }

  // MARK: - Equality

  func equality(_ left: SQLOperand, right: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    switch (left, right) {
    case (.constant(let a), .constant(let b)): return .constant(Self.areEqual(a, b, textOptions) != isNegated)
    case (.scalar(let scalar), .constant(let constant)), (.constant(let constant), .scalar(let scalar)):
      return try equality(scalar, constant: constant, isNegated: isNegated)
    case (.scalar(let a), .scalar(let b)): return try equality(a, right: b, isNegated: isNegated)
    case (.collection, _), (_, .collection):
      throw unsupported("a to-many relationship equals nothing; use ANY, ALL, IN, CONTAINS or @count")
    case (.list, _), (_, .list): throw unsupported("a list equals nothing; use IN")
    }
  }

  private func equality(_ scalar: SQLScalar, constant: EvaluatedValue, isNegated: Bool) throws
    -> SQLCondition
  {
    if case .null = constant {
      // A literal `nil` compares with nil. A `nil` that was computed, as the value of an object, is a missing value.
      let isMissing = [comparison.leftExpression, comparison.rightExpression]
        .contains { $0.isConstant && !$0.isLiteral }
      return isNegated && isMissing ? .never : Self.nullTest(scalar, isNegated: isNegated)
    }
    try requireKnown(scalar)
    guard let value = SQLConstants.binding(constant, as: scalar.kind, store: scope.store, dialect: dialect)
    else { return Self.incomparable(scalar, isNegated: isNegated) }
    if scalar.kind == .text, !textOptions.isEmpty, case .text(let text) = value {
      return test(.equal, text: .expression(scalar.write), pattern: .constant(text), isNegated: isNegated)
    }
    let exact = comparable(scalar, with: constant)
    return .atom { writer in
      try exact.write(&writer)
      writer.write(isNegated ? " <> " : " = ")
      writer.bind(value, as: exact.kind)
    }
  }

  /// A value as the database compares it with a constant without a loss.
  func comparable(_ scalar: SQLScalar, with constant: EvaluatedValue) -> SQLScalar {
    guard scalar.kind == .real, case .number(.integer) = constant else { return scalar }
    return dialect.comparable(
      scalar,
      right: SQLScalar(.integer, width: SQLIntegerWidth.width(of: constant)) { _ in }
    ).0
  }

  static func nullTest(_ scalar: SQLScalar, isNegated: Bool) -> SQLCondition {
    .atom { writer in
      try scalar.write(&writer)
      writer.write(isNegated ? " IS NOT NULL" : " IS NULL")
    }
  }

  /// The comparison with a constant that no value can equal or be ordered with, or the opposite, which is true
  /// for every value.
  static func incomparable(_ scalar: SQLScalar, isNegated: Bool) -> SQLCondition {
    isNegated ? nullTest(scalar, isNegated: true) : .never
  }

  /// - Throws: ``SQLUntranslatable`` for an object that is stored as an archive: equal objects may have different
  ///   archives.
  func requireKnown(_ scalar: SQLScalar) throws {
    guard case .opaque = scalar.kind else { return }
    throw SQLUntranslatable(
      part: comparison.predicateFormat,
      reason: "it compares an object that the store keeps as data; filter the result in memory"
    )
  }

  private func equality(_ left: SQLScalar, right: SQLScalar, isNegated: Bool) throws -> SQLCondition {
    try requireKnown(left)
    try requireKnown(right)
    if case .data(isExternal: true) = left.kind, dialect.externalDataMark != nil {
      throw unsupported("data that may lie in files can only be compared with a constant")
    }
    let areData = left.kind.isData && right.kind.isData && dialect.externalDataMark == nil
    guard left.kind.isComparable(with: right.kind) || areData else {
      // Values of these kinds can only be equal if both are null.
      return .all([left, right].map { Self.nullTest($0, isNegated: isNegated) })
    }
    let isFolded = left.kind == .text && !textOptions.isEmpty
    let (left, right) = dialect.comparable(left, right: right)
    return .atom { writer in
      try writeFolded(left, options: isFolded, to: &writer)
      writer.write(" \(isNegated ? "<>" : dialect.nullSafeEqual) ")
      try writeFolded(right, options: isFolded, to: &writer)
    }
  }

  func writeFolded(_ scalar: SQLScalar, options isFolded: Bool, to writer: inout SQLWriter) throws {
    guard isFolded else { return try scalar.write(&writer) }
    try dialect.writeFolded(scalar.write, options: textOptions, to: &writer)
  }

  static func areEqual(_ a: EvaluatedValue, _ b: EvaluatedValue, _ options: TextOptions) -> Bool {
    if !options.isEmpty, case .text(let a) = a, case .text(let b) = b {
      return TextOrder.areIdentical(options.folded(a), second: options.folded(b))
    }
    return a.isEqual(to: b)
  }

  func unsupported(_ reason: String) -> any Error {
    SQLTranslationFailure.error(comparison.predicateFormat, reason: reason)
  }
}

extension SQLComparisonTranslator {
  func containment(_ left: SQLOperand, right: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    switch left {
    case .collection, .list, .constant(.null): return try membership(of: right, in: left, isNegated: isNegated)
    case .constant(let value) where value.elements != nil:
      return try membership(of: right, in: left, isNegated: isNegated)
    case .constant, .scalar: return try text(.contains, left: left, right: right, isNegated: isNegated)
    }
  }

  /// The test of a text against another one.
  func text(
    _ operation: TextMatcher.Operation,
    left: SQLOperand,
    right: SQLOperand,
    isNegated: Bool
  ) throws -> SQLCondition {
    switch (left, right) {
    case (.constant(.null), _), (_, .constant(.null)): return .never
    case (.constant(.text(let text)), .constant(.text(let pattern))):
      let matcher = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return .constant(try matcher.matches(text) != isNegated)
    case (.scalar(let scalar), .constant(.text(let pattern))) where scalar.kind == .text:
      // Throws for an invalid regular expression.
      _ = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return test(
        operation,
        text: .expression(scalar.write),
        pattern: .constant(pattern),
        isNegated: isNegated
      )
    case (.constant(.text(let text)), .scalar(let scalar)) where scalar.kind == .text:
      return test(operation, text: .constant(text), pattern: .expression(scalar.write), isNegated: isNegated)
    case (.scalar(let a), .scalar(let b)) where a.kind == .text && b.kind == .text:
      return test(operation, text: .expression(a.write), pattern: .expression(b.write), isNegated: isNegated)
    default: throw unsupported("both sides must be text")
    }
  }

  func test(
    _ operation: TextMatcher.Operation,
    text: SQLTextTest.Side,
    pattern: SQLTextTest.Side,
    isNegated: Bool
  ) -> SQLCondition {
    let test = SQLTextTest(operation: operation, options: textOptions, text: text, pattern: pattern)
    // Every text has an empty beginning, end and part. A dialect may write this as `IS NOT NULL`.
    if isNegated, case .constant("") = pattern, [.beginsWith, .endsWith, .contains].contains(operation) {
      return .never
    }
    return .comparison(isNegated: isNegated) { try dialect.write(test, to: &$0) }
  }
}
