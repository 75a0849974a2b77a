import Foundation

/// Turns predicates into closures.
enum PredicateCompiler {
  /// The test of a whole predicate, which may be nested too deeply.
  static func checkedTest(_ predicate: NSPredicate) throws -> TestClosure {
    try TreeHeight.check(predicate)
    return try test(predicate)
  }

  static func test(_ predicate: NSPredicate) throws -> TestClosure {
    switch predicate.node {
    case .constant(let value):
      return { _ in value }
    case .comparison(let comparison):
      do {
        return try self.comparison(comparison)
      } catch let error as PredicateEvaluationError {
        throw error.within(comparison.predicateFormat)
      }
    case .compound(let type, let parts):
      return try compound(type, parts)
    case .opaque(let predicate):
      return { predicate.evaluate(with: $0.object, substitutionVariables: $0.variables) }
    }
  }

  private static func compound(
    _ type: NSCompoundPredicate.LogicalType,
    _ parts: [NSPredicate]
  ) throws -> TestClosure {
    let tests = try PredicateNode.flattened(type, parts).map(test)
    switch type {
    case .and:
      return { scope in
        for test in tests where try !test(scope) { return false }
        return true
      }
    case .or:
      return { scope in
        for test in tests where try test(scope) { return true }
        return false
      }
    case .not:
      guard let test = tests.first else { throw PredicateEvaluationError("NOT has no predicate") }
      return { try !test($0) }
    }
  }

  /// The comparison's test, whose errors name the comparison.
  private static func comparison(_ comparison: NSComparisonPredicate) throws -> TestClosure {
    let left = try ExpressionCompiler.value(comparison.leftExpression)
    let pair = try ComparisonCompiler(comparison).test
    let modifier = comparison.comparisonPredicateModifier
    // Not the comparison itself, which keeps these closures.
    let text = PredicatePrinter.ComparisonText(comparison)
    return { scope in
      do {
        if modifier == .direct { return try pair(left(scope), scope) }
        let wanted = modifier == .any
        for element in try elements(left(scope), wanted ? "ANY" : "ALL")
        where try pair(EvaluatedValue(element), scope) == wanted {
          return wanted
        }
        return !wanted
      } catch let error as PredicateEvaluationError {
        throw error.within(text.description)
      }
    }
  }

  private static func elements(_ value: EvaluatedValue, _ modifier: String) throws -> [Any?] {
    if case .null = value { return [] }
    if let elements = value.elements { return elements }
    throw PredicateEvaluationError(
      "\(modifier) needs a collection on its left side, which is \(value.typeName)"
    )
  }
}
