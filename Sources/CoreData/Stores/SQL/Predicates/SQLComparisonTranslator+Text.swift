import Foundation
import Predicates

extension SQLComparisonTranslator {
  func containment(_ left: SQLOperand, _ right: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    switch left {
    case .collection, .list: return try membership(of: right, in: left, isNegated: isNegated)
    case .constant(let value) where value.elements != nil:
      return try membership(of: right, in: left, isNegated: isNegated)
    case .constant, .scalar: return try text(.contains, left, right, isNegated: isNegated)
    }
  }

  /// The test of a text against another one.
  func text(
    _ operation: TextMatcher.Operation,
    _ left: SQLOperand,
    _ right: SQLOperand,
    isNegated: Bool
  ) throws -> SQLCondition {
    switch (left, right) {
    case (.constant(.null), _), (_, .constant(.null)):
      return .constant(isNegated)
    case (.constant(.text(let text)), .constant(.text(let pattern))):
      let matcher = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return .constant(matcher.matches(text) != isNegated)
    case (.scalar(let scalar), .constant(.text(let pattern))) where scalar.kind == .text:
      // Throws for a regular expression that is none.
      _ = try TextMatcher(operation, pattern: pattern, options: textOptions)
      return test(operation, .expression(scalar.write), .constant(pattern), isNegated: isNegated)
    case (.constant(.text(let text)), .scalar(let scalar)) where scalar.kind == .text:
      return test(operation, .constant(text), .expression(scalar.write), isNegated: isNegated)
    case (.scalar(let a), .scalar(let b)) where a.kind == .text && b.kind == .text:
      return test(operation, .expression(a.write), .expression(b.write), isNegated: isNegated)
    default:
      throw unsupported("both sides must be text")
    }
  }

  func test(
    _ operation: TextMatcher.Operation,
    _ text: SQLTextTest.Side,
    _ pattern: SQLTextTest.Side,
    isNegated: Bool
  ) -> SQLCondition {
    let test = SQLTextTest(operation: operation, options: textOptions, text: text, pattern: pattern)
    return .atom(isNegated: isNegated) { try dialect.write(test, to: &$0) }
  }
}
