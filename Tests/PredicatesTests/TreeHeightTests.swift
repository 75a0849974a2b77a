import Foundation
import Predicates
import Testing

@Suite("Trees that nest deeply")
struct TreeHeightTests {
  private static let deep = 20_000

  private static var deepExpression: NSExpression {
    var expression = NSExpression(forKeyPath: "a")
    for _ in 0..<deep {
      let one = NSExpression(forConstantValue: 1)
      expression = NSExpression(forFunction: "add:to:", arguments: [expression, one])
    }
    return expression
  }

  private static var deepComparison: NSComparisonPredicate {
    NSComparisonPredicate(
      leftExpression: deepExpression,
      rightExpression: NSExpression(forConstantValue: 1),
      modifier: .direct,
      type: .equalTo
    )
  }

  @Test("are refused by the evaluation with an error that says so")
  func evaluation() throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try PredicateEvaluator(Self.deepComparison) }
    #expect(error?.message.contains("levels deep") == true)
    #expect(!Self.deepComparison.evaluate(with: ["a": 1]))
    #expect(Self.deepExpression.expressionValue(with: ["a": 1], context: nil) == nil)
  }

  @Test("are compared, hashed and freed without recursion")
  func equality() {
    #expect(Self.deepComparison == Self.deepComparison)
    #expect(Self.deepExpression == Self.deepExpression)
    #expect(Self.deepComparison.hash == Self.deepComparison.hash)
    let longer = NSExpression(
      forFunction: "add:to:",
      arguments: [Self.deepExpression, NSExpression(forConstantValue: 1)]
    )
    #expect(longer != Self.deepExpression)
  }

  @Test("print as a remark that the parser refuses")
  func printing() {
    let printed = Self.deepComparison.printedFormat
    #expect(printed.contains("levels deep"))
    #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: printed) }
  }

  @Test("keep their variables, since they cannot be evaluated")
  func substitution() {
    let comparison = Self.deepComparison
    #expect(comparison.withSubstitutionVariables(["x": 1]) === comparison)
  }

  @Test("of one kind of compound are one list: chains of AND are evaluated at any length")
  func chains() throws {
    var chain = NSPredicate(format: "a == 1")
    for number in 0..<2_000 {
      let part = NSPredicate(format: "a != %d", number + 2)
      chain = NSCompoundPredicate(andPredicateWithSubpredicates: [chain, part])
    }
    #expect(try PredicateEvaluator(chain)(["a": 1]))
    #expect(try !PredicateEvaluator(chain)(["a": 2]))
  }

  @Test(
    "of the parser's greatest height read as they were printed",
    arguments: [
      "a == " + String(repeating: "-", count: 95) + "{}",
      "a == b + " + String(repeating: "~-", count: 45) + "a",
    ]
  )
  func greatestHeight(_ format: String) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect(try NSPredicate(parsing: predicate.printedFormat) == predicate)
  }

  @Test(
    "of keys that begin with a digit read as they were printed",
    arguments: [
      "0.#95 == a", "a.#1.b == 2", "#1 == 1", "7 == (4.S0).L", "($x.a).b == 1", "#self.\u{735}SELf == 0",
    ]
  )
  func digits(_ format: String) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect(try NSPredicate(parsing: predicate.printedFormat) == predicate)
  }
}
