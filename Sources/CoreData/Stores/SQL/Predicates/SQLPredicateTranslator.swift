import Foundation
import Predicates

/// Turns a predicate into a condition, by the rule of SQL, which the evaluation has as
/// ``NullRule/asInSQL``: a comparison with a value that is missing is unknown, and its opposite is too.
struct SQLPredicateTranslator {
  let scope: SQLScope
  let dialect: any SQLDialect
  /// The elements that the variables of subqueries refer to.
  var variables: [String: SQLElement] = [:]

  /// - Parameter isNegated: true when the opposite is wanted.
  /// - Throws: an error that names the part without a translation into SQL.
  func condition(_ predicate: NSPredicate, isNegated: Bool = false) throws -> SQLCondition {
    switch predicate.node {
    case .constant(let value): return .constant(value != isNegated)
    case .compound(let type, let parts): return try compound(type, parts: parts, isNegated: isNegated)
    case .comparison(let comparison): return try self.comparison(comparison, isNegated: isNegated)
    case .opaque:
      throw SQLTranslationFailure.error(
        predicate.printedFormat,
        reason: "a block can only be evaluated in memory; filter the result with it"
      )
    }
  }

  private func compound(
    _ type: NSCompoundPredicate.LogicalType,
    parts: [NSPredicate],
    isNegated: Bool
  ) throws -> SQLCondition {
    if type == .not {
      guard let part = parts.first else { throw SQLTranslationFailure.error("NOT", reason: "it has no predicate") }
      return try condition(part, isNegated: !isNegated)
    }
    let conditions = try PredicateNode.flattened(type, parts: parts).map { try condition($0, isNegated: isNegated) }
    return (type == .and) != isNegated ? .all(conditions) : .any(conditions)
  }

  private func comparison(_ comparison: NSComparisonPredicate, isNegated: Bool) throws -> SQLCondition {
    if comparison.leftExpression.isConstant, comparison.rightExpression.isConstant {
      return try .constant(comparison, isNegated: isNegated)
    }
    let left = try operand(comparison.leftExpression)
    let right = try operand(comparison.rightExpression)
    let translator = SQLComparisonTranslator(comparison, scope: scope, dialect: dialect)
    switch comparison.comparisonPredicateModifier {
    case .direct: return try translator.condition(left, right: right, isNegated: isNegated)
    case .any:
      return try each(left, comparison: comparison, isNegated: isNegated) { try translator.condition($0, right: right) }
    case .all:
      // All do when there is none that does not, be its value missing.
      return try each(left, comparison: comparison, isNegated: !isNegated) {
        .doesNotHold(try translator.condition($0, right: right))
      }
    }
  }

  /// The condition that one of the elements on the left fulfils another.
  private func each(
    _ left: SQLOperand,
    comparison: NSComparisonPredicate,
    isNegated: Bool,
    _ condition: (SQLOperand) throws -> SQLCondition
  ) throws -> SQLCondition {
    switch left {
    case .collection(let collection):
      let element = SQLOperand.scalar(collection.element.scalar)
      return collection.exists(try condition(element), isNegated: isNegated)
    case .constant(.null): return .constant(isNegated)
    case .constant(let value):
      guard let elements = value.elements else { break }
      let found = SQLCondition.any(try elements.map { try condition(.constant(EvaluatedValue($0))) })
      return isNegated ? .doesNotHold(found) : found
    case .list, .scalar: break
    }
    throw SQLTranslationFailure.error(
      comparison.predicateFormat,
      reason: "ANY and ALL need a to-many relationship on their left side"
    )
  }
}

extension SQLElement {
  var scalar: SQLScalar {
    switch self {
    case .object(let position): position.scalar
    case .value(let scalar): scalar
    }
  }
}
