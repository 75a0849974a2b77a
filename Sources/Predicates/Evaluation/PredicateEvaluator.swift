package import Foundation

/// A predicate compiled into closures. Everything that does not depend on the object (folded texts,
/// regular expressions, hashed lists) is computed once, however many objects are evaluated.
///
/// Rules, from Apple's documentation where it has any:
/// * Null equals null and nothing else. Every other comparison with null is false. The negation of a false comparison
///   is true: there is no third truth value. By the rule ``NullRule/asInSQL`` it is not, where a value is missing.
/// * Numbers of all types are compared by value. A number is never equal to text.
/// * Ordering values that have no order (text and a number) throws an error.
/// * ANY of an empty collection is false, ALL of it true. Null is treated as an empty collection. A
///   key path through several collections visits every element of each.
package struct PredicateEvaluator {
  private let test: TestClosure
  private let variables: [String: Any]?
  /// The rule for nulls; the same closures serve both.
  package var nulls: NullRule

  /// Compiles a predicate.
  ///
  /// - Parameters:
  ///   - variables: values for `$name`.
  ///   - nulls: the rule for nulls: that of databases if memory evaluates instead of a database.
  /// - Throws: `PredicateEvaluationError` for a part that can never be evaluated, such as an
  ///   invalid regular expression.
  package init(_ predicate: NSPredicate, variables: [String: Any]? = nil, nulls: NullRule = .asInMemory) throws {
    test = try PredicateCompiler.checkedTest(predicate)
    self.variables = variables
    self.nulls = nulls
  }

  /// Returns true when the object matches.
  ///
  /// - Throws: `PredicateEvaluationError`, or what the object throws for a key that it does not have.
  package func callAsFunction(_ object: Any?) throws -> Bool {
    do {
      return try test(EvaluationScope(object: object, variables: variables, nulls: nulls))
    } catch let error as PredicateEvaluationError {
      throw error.asked(of: object)
    }
  }

  /// Returns true when the object matches; quicker than with `Any`.
  ///
  /// - Throws: `PredicateEvaluationError`, or what the object throws for a key that it does not have.
  package func callAsFunction(_ object: any KeyValueCoding) throws -> Bool {
    do {
      return try test(EvaluationScope(coding: object, variables: variables, nulls: nulls))
    } catch let error as PredicateEvaluationError {
      throw error.asked(of: object)
    }
  }
}

/// An expression compiled into closures.
package struct ExpressionEvaluator {
  private let value: ValueClosure
  private let variables: [String: Any]?
  private let nulls: NullRule

  /// Compiles an expression.
  ///
  /// - Parameters:
  ///   - variables: values for `$name`.
  ///   - nulls: the rule for nulls in the predicates of the expression.
  /// - Throws: `PredicateEvaluationError` for what can never be evaluated, and for an expression
  ///   that is nested too deeply.
  package init(_ expression: NSExpression, variables: [String: Any]? = nil, nulls: NullRule = .asInMemory) throws {
    try TreeHeight.check(expression)
    value = try ExpressionCompiler.value(expression)
    self.variables = variables
    self.nulls = nulls
  }

  /// The expression's value for an object.
  ///
  /// - Throws: `PredicateEvaluationError`, or what the object throws for a key that it does not have.
  package func callAsFunction(_ object: Any?) throws -> Any? { try evaluate(object).any }

  /// The expression's value for an object, before it is made one of Swift's or Foundation's.
  ///
  /// - Throws: `PredicateEvaluationError`, or what the object throws for a key that it does not have.
  package func evaluate(_ object: Any?) throws -> EvaluatedValue {
    try value(EvaluationScope(object: object, variables: variables, nulls: nulls))
  }
}
