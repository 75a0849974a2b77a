import Foundation

/// Says which comparisons are known where a comparison with null is unknown, as in SQL.
///
/// A comparison is known when both sides have values. Known as well are:
/// * the comparison with a literal nil, by `==` and `!=`, which asks for nil;
/// * membership in an empty list, in a list that is nil, and in the objects or values of a relationship;
/// * `BETWEEN`, where one limit decides.
///
/// A value that is not a number (NaN) is treated as missing, because databases store it as null.
struct KnownComparison {
  private let left: Side
  private let right: Side
  private let value: ValueClosure
  private let options: NSComparisonPredicate.Options
  private let type: NSComparisonPredicate.Operator

  /// The properties of one side of a comparison that are known before its value.
  private struct Side {
    let expression: NSExpression
    let isLiteral: Bool
    let isConstant: Bool
    /// Which members are literals, of a list of expressions that are not all constants; `nil` for anything else.
    let literalMembers: [Bool]?

    init(_ expression: NSExpression) {
      self.expression = expression
      isLiteral = expression.isLiteral
      isConstant = expression.isConstant
      if !isConstant, case .aggregate(let members) = expression.node {
        literalMembers = members.map(\.isLiteral)
      } else {
        literalMembers = nil
      }
    }

    /// True when the value, which is null, is that of a relationship to many which cannot be reached.
    func isCollection(in scope: borrowing EvaluationScope, for member: EvaluatedValue) -> Bool {
      if isConstant { return true }
      if case .keyPath(let keyPath) = expression.node, !keyPath.hasPrefix("$"),
        let object = scope.object as? any ModelledObject
      {
        return object.leadsToMany(keyPath)
      }
      switch member {
      case .null, .text: return false
      case .number, .date, .object: return true
      }
    }
  }

  /// - Parameter right: the closure of the right side.
  init(_ comparison: NSComparisonPredicate, right value: @escaping ValueClosure) {
    left = Side(comparison.leftExpression)
    right = Side(comparison.rightExpression)
    options = comparison.options
    type = comparison.predicateOperatorType
    self.value = value
  }

  /// Returns true when it is known whether the comparison holds.
  ///
  /// - Parameter leftValue: the value of the left side, or one of its elements.
  func callAsFunction(_ leftValue: EvaluatedValue, scope: borrowing EvaluationScope) throws -> Bool {
    let rightValue = try value(scope)
    switch type {
    case .equalTo, .notEqualTo:
      return Self.isKnown(
        leftValue,
        isLiteral: left.isLiteral,
        other: rightValue,
        isOtherLiteral: right.isLiteral
      )
    case .in: return isKnown(leftValue, side: left, in: rightValue, containerSide: right, scope: scope)
    case .contains: return isKnown(rightValue, side: right, in: leftValue, containerSide: left, scope: scope)
    case .between: return try isOutside(leftValue, limits: rightValue)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .beginsWith, .endsWith, .like,
      .matches:
      return !Self.isMissing(leftValue, isLiteral: left.isLiteral)
        && !Self.isMissing(rightValue, isLiteral: right.isLiteral)
    }
  }

  private static func isMissing(_ value: EvaluatedValue, isLiteral: Bool) -> Bool {
    switch value {
    case .null: true
    case .number(let number): !isLiteral && number.compare(number) == nil
    case .text, .date, .object: false
    }
  }

  private static func isKnown(
    _ one: EvaluatedValue,
    isLiteral: Bool,
    other: EvaluatedValue,
    isOtherLiteral: Bool
  ) -> Bool {
    if isLiteral && one.isNull || isOtherLiteral && other.isNull { return true }
    return !isMissing(one, isLiteral: isLiteral) && !isMissing(other, isLiteral: isOtherLiteral)
  }

  private func isKnown(
    _ member: EvaluatedValue,
    side: Side,
    in container: EvaluatedValue,
    containerSide: Side,
    scope: borrowing EvaluationScope
  ) -> Bool {
    let isMissing = Self.isMissing(member, isLiteral: side.isLiteral)
    if containerSide.isConstant && !isMissing { return true }
    switch container {
    case .null: return containerSide.isCollection(in: scope, for: member)
    case .text: return !isMissing
    case .number, .date, .object: break
    }
    // A relationship, or what the comparison itself refuses.
    guard let elements = container.elements else { return true }
    if containerSide.isConstant { return elements.isEmpty }
    guard let literals = containerSide.literalMembers else { return true }
    return zip(elements, literals).allSatisfy { element, isLiteral in
      Self.isKnown(
        member,
        isLiteral: side.isLiteral,
        other: EvaluatedValue(element),
        isOtherLiteral: isLiteral
      )
    }
  }

  /// Returns true when both limits have values, or the one that has a value excludes the left side.
  private func isOutside(_ leftValue: EvaluatedValue, limits: EvaluatedValue) throws -> Bool {
    if Self.isMissing(leftValue, isLiteral: left.isLiteral) || limits.isNull { return false }
    // Anything else is refused by the comparison itself.
    guard let elements = limits.elements, elements.count == 2 else { return true }
    let (lower, upper) = (EvaluatedValue(elements[0]), EvaluatedValue(elements[1]))
    switch (lower.isNull, upper.isNull) {
    case (false, false): return true
    case (false, true): return try compare(leftValue, limit: lower) == .orderedAscending
    case (true, false): return try compare(leftValue, limit: upper) == .orderedDescending
    case (true, true): return false
    }
  }

  private func compare(_ value: EvaluatedValue, limit: EvaluatedValue) throws -> ComparisonResult? {
    try ComparisonCompiler.compare(value, right: limit, order: ComparisonCompiler.textOrder(options))
  }
}
