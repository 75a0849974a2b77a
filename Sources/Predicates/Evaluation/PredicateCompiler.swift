import Foundation

/// Turns predicates into closures.
enum PredicateCompiler {
  /// The test of a whole predicate, which may be nested too deeply.
  static func checkedTest(_ predicate: NSPredicate) throws -> TestClosure {
    try TreeHeight.check(predicate)
    return try test(predicate)
  }

  /// The test of a predicate, or of its opposite: negations stand at the comparisons, as they do in SQL.
  static func test(_ predicate: NSPredicate, isNegated: Bool = false) throws -> TestClosure {
    switch predicate.node {
    case .constant(let value):
      let holds = value != isNegated
      return { _ in holds }
    case .comparison(let comparison):
      do {
        return try self.comparison(comparison, isNegated: isNegated)
      } catch let error as PredicateEvaluationError {
        throw error.within(comparison.predicateFormat)
      }
    case .compound(let type, let parts): return try compound(type, parts: parts, isNegated: isNegated)
    case .opaque(let predicate):
      return { predicate.evaluate(with: $0.object, substitutionVariables: $0.variables) != isNegated }
    }
  }

  private static func compound(
    _ type: NSCompoundPredicate.LogicalType,
    parts: [NSPredicate],
    isNegated: Bool
  ) throws -> TestClosure {
    if type == .not {
      guard let part = parts.first else { throw PredicateEvaluationError("NOT has no predicate") }
      return try test(part, isNegated: !isNegated)
    }
    let tests = try PredicateNode.flattened(type, parts: parts).map { try test($0, isNegated: isNegated) }
    // The opposite of an AND is an OR of opposites.
    let decides = (type == .or) != isNegated
    return { scope in
      for test in tests where try test(scope) == decides { return decides }
      return !decides
    }
  }

  /// The comparison's test, whose errors name the comparison.
  ///
  /// Whether an element fulfils the comparison of an ANY or ALL has two values, so that the opposite of the whole is
  /// the negation.
  private static func comparison(_ comparison: NSComparisonPredicate, isNegated: Bool) throws -> TestClosure {
    let left = try ExpressionCompiler.value(comparison.leftExpression)
    let modifier = comparison.comparisonPredicateModifier
    let pair = try ComparisonCompiler(comparison, isNegated: modifier == .direct && isNegated).test
    // Not the comparison itself, which keeps these closures.
    let text = PredicatePrinter.ComparisonText(comparison)
    return { scope in
      do {
        if modifier == .direct { return try pair(left(scope), scope) }
        let wanted = modifier == .any
        for element in try elements(left(scope), modifier: wanted ? "ANY" : "ALL")
        where try pair(EvaluatedValue(element), scope) == wanted {
          return wanted != isNegated
        }
        return wanted == isNegated
      } catch let error as PredicateEvaluationError {
        throw error.within(text.description)
      }
    }
  }

  private static func elements(_ value: EvaluatedValue, modifier: String) throws -> [Any?] {
    if case .null = value { return [] }
    if let elements = value.elements { return elements }
    throw PredicateEvaluationError("\(modifier) needs a collection on its left side, which is \(value.typeName)")
  }
}
