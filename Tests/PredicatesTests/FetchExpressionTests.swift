import Foundation
import Predicates
import Testing

@Suite("Fetches inside of expressions")
struct FetchExpressionTests {
  /// A context that executes fetches and counts them.
  private final class Context: FetchingContext {
    var fetches = 0
    var find: (Any?) throws -> [Any] = { ($0 as? [Any]) ?? [] }

    func result(ofFetch request: Any?, countOnly: Bool) throws -> Any? {
      fetches += 1
      let found = try find(request)
      return countOnly ? found.count : found
    }
  }

  @Test(
    "fetch expressions are parsed and printed",
    arguments: [
      "FETCH($request, $context, NO)", "FETCH($manager.request, $manager.context, YES)",
      "FETCH(FUNCTION($manager, \"requestNamed:\", \"a\"), $context, NO).@count",
    ]
  )
  func text(_ format: String) throws {
    let expression = try NSExpression(parsing: format)
    #expect(expression.description == format)
    #expect(try NSExpression(parsing: expression.description) == expression)
  }

  @Test("fetch expressions have the parts, the type and the class that Apple's have")
  func parts() throws {
    let expression = try NSExpression(parsing: "fetch($request, $context, true)")
    #expect(expression.expressionType == NSFetchRequestExpressionType)
    #expect(expression.expressionType.rawValue == 50)
    let fetch = try #require(expression as? NSFetchRequestExpression)
    #expect(fetch.requestExpression == NSExpression(forVariable: "request"))
    #expect(fetch.contextExpression == NSExpression(forVariable: "context"))
    #expect(fetch.isCountOnlyRequest)
    let made = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forVariable: "request"),
      context: NSExpression(forVariable: "context"),
      countOnly: true
    )
    #expect(made == fetch)
    #expect(made.hash == fetch.hash)
    let other = NSFetchRequestExpression.expression(
      forFetch: fetch.requestExpression,
      context: fetch.contextExpression,
      countOnly: false
    )
    #expect(other != fetch)
  }

  @Test(
    "a fetch expression with invalid parts is refused with the expected ones",
    arguments: ["FETCH(a, b)", "FETCH(a, b, 2)", "FETCH(a, b, c)", "FETCH()", "FETCH(a, b, NO, 1)"]
  )
  func wrongParts(_ format: String) {
    let error = #expect(throws: PredicateFormatError.self) { try NSExpression(parsing: format) }
    #expect(error?.description.contains("FETCH(request, context, NO)") == true)
  }

  @Test("a fetch expression is executed when it is evaluated, with the values of its variables")
  func evaluation() throws {
    let context = Context()
    let variables: NSMutableDictionary = ["request": [1, 2, 3], "context": context]
    let list = try NSExpression(parsing: "FETCH($request, $context, NO)")
    #expect(list.expressionValue(with: nil, context: variables) as? [Int] == [1, 2, 3])
    let count = try NSExpression(parsing: "FETCH($request, $context, YES) + 1")
    #expect(count.expressionValue(with: nil, context: variables) as? Int == 4)
    #expect(context.fetches == 2)
    let predicate = try NSPredicate(parsing: "SELF IN FETCH($request, $context, NO)")
    #expect(predicate.evaluate(with: 3, substitutionVariables: ["request": [1, 2, 3], "context": context]))
    #expect(!predicate.evaluate(with: 4, substitutionVariables: ["request": [1, 2, 3], "context": context]))
  }

  @Test("a fetch expression keeps its class when variables are replaced")
  func substitution() throws {
    let context = Context()
    let predicate = try NSPredicate(parsing: "SELF IN FETCH($request, $context, NO)")
      .withSubstitutionVariables(["request": [5], "context": context])
    let comparison = try #require(predicate as? NSComparisonPredicate)
    #expect(comparison.rightExpression is NSFetchRequestExpression)
    #expect(predicate.evaluate(with: 5))
    #expect(context.fetches == 1)
  }

  @Test("a fetch expression that is equal for all objects is executed once; others stay")
  func resolving() throws {
    let context = Context()
    let variables: [String: Any] = ["request": [5], "context": context]
    let same = try NSPredicate(parsing: "a == 1 OR b IN FETCH($request, $context, NO)")
      .withSubstitutionVariables(variables).resolvingFetches()
    #expect(context.fetches == 1)
    #expect(same.printedFormat == "a == 1 OR b IN {5}")
    let differing = try NSPredicate(parsing: "b IN FETCH(list, $context, NO)")
      .withSubstitutionVariables(variables)
    #expect(try differing.resolvingFetches() == differing)
    #expect(context.fetches == 1)
  }

  @Test("a fetch expression without a context, or within itself, is an error that terminates")
  func failures() throws {
    let expression = try NSExpression(parsing: "FETCH(1, 2, NO)")
    let error = #expect(throws: PredicateEvaluationError.self) {
      try ExpressionEvaluator(expression).callAsFunction(nil)
    }
    #expect(error?.message == "The second part of FETCH should be a managed object context, and is 2")

    let context = Context()
    let circle = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: 1),
      context: NSExpression(forConstantValue: context),
      countOnly: false
    )
    context.find = { _ in [try ExpressionEvaluator(circle).callAsFunction(nil) ?? 0] }
    let endless = #expect(throws: PredicateEvaluationError.self) {
      try ExpressionEvaluator(circle).callAsFunction(nil)
    }
    #expect(endless?.message.contains("nested more than 16 deep") == true)
  }
}
