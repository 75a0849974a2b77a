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

  @Test("the evaluation refuses deeply nested trees with an error that says so")
  func evaluation() throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try PredicateEvaluator(Self.deepComparison) }
    #expect(error?.message.contains("levels deep") == true)
    #expect(!Self.deepComparison.evaluate(with: ["a": 1]))
    #expect(Self.deepExpression.expressionValue(with: ["a": 1], context: nil) == nil)
  }

  @Test("deeply nested trees are compared, hashed and freed without recursion")
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

  @Test(
    "deeply nested compounds, and subqueries in compounds, are freed without recursion",
    arguments: [true, false]
  )
  func freedCompounds(_ hasSubqueries: Bool) {
    var predicate: NSPredicate = NSPredicate(format: "a == 1")
    for _ in 0..<Self.deep * 5 {
      if hasSubqueries {
        let list = NSExpression(forKeyPath: "list")
        let subquery = NSExpression(forSubquery: list, usingIteratorVariable: "x", predicate: predicate)
        predicate = NSComparisonPredicate(
          leftExpression: subquery,
          rightExpression: list,
          modifier: .direct,
          type: .in
        )
      }
      predicate = CompoundPredicate(type: .not, subpredicates: [predicate])
    }
    weak var top: NSPredicate?
    top = predicate
    predicate = NSPredicate(value: true)
    #expect(top == nil)
  }

  @Test("deeply nested trees keep their constants, because they cannot be evaluated")
  func constants() {
    let comparison = Self.deepComparison
    let replaced = comparison.replacingConstants { $0 }
    #expect(replaced === comparison)
  }

  @Test("deeply nested trees print as a comment that the parser refuses")
  func printing() {
    let printed = Self.deepComparison.printedFormat
    #expect(printed.contains("levels deep"))
    #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: printed) }
  }

  @Test("deeply nested trees keep their variables, because they cannot be evaluated")
  func substitution() {
    let comparison = Self.deepComparison
    #expect(comparison.withSubstitutionVariables(["x": 1]) === comparison)
  }

  @Test("chains of AND or of OR are one list, which is evaluated at any length")
  func chains() throws {
    var chain = NSPredicate(format: "a == 1")
    for number in 0..<2_000 {
      let part = NSPredicate(format: "a != %d", number + 2)
      chain = NSCompoundPredicate(andPredicateWithSubpredicates: [chain, part])
    }
    #expect(try PredicateEvaluator(chain)(["a": 1]))
    #expect(try !PredicateEvaluator(chain)(["a": 2]))
  }

  /// `k0 == 0 AND k1 == 1 AND …`, nested in pairs from the first part or from the last.
  private static func chain(
    _ type: NSCompoundPredicate.LogicalType,
    of count: Int,
    fromFirst: Bool
  ) -> NSPredicate {
    let parts = (0..<count).map { NSPredicate(format: "k\($0) == %d", $0) }
    let ordered: [NSPredicate] = fromFirst ? parts : parts.reversed()
    return ordered.dropFirst().reduce(ordered[0]) { chain, part in
      CompoundPredicate(type: type, subpredicates: fromFirst ? [chain, part] : [part, chain])
    }
  }

  @Test(
    "chains of one kind of compound print as a text that parses as the same list, at any length",
    arguments: [2, 3, 98, 99, 100, 101, 102, 2_000],
    [true, false]
  )
  func printedChains(_ count: Int, _ fromFirst: Bool) throws {
    for type in [NSCompoundPredicate.LogicalType.and, .or] {
      let chain = Self.chain(type, of: count, fromFirst: fromFirst)
      let read = try NSPredicate(parsing: chain.printedFormat)
      let parts = PredicateNode.flattened(type, parts: [read])
      #expect(parts.map(\.printedFormat) == (0..<count).map { "k\($0) == \($0)" })
      let negated = NSCompoundPredicate(notPredicateWithSubpredicate: chain)
      #expect(try NSPredicate(parsing: negated.printedFormat).printedFormat == negated.printedFormat)
    }
  }

  @Test("chains of one kind of compound print with Apple's parentheses if the parser reads these")
  func parentheses() throws {
    let chain = Self.chain(.and, of: 3, fromFirst: true)
    #expect(chain.printedFormat == "(k0 == 0 AND k1 == 1) AND k2 == 2")
    #expect(try NSPredicate(parsing: chain.printedFormat) == chain)
    let longest = Self.chain(.or, of: 99, fromFirst: true)
    #expect(longest.printedFormat.hasPrefix(String(repeating: "(", count: 97) + "k0 == 0"))
    #expect(try NSPredicate(parsing: longest.printedFormat) == longest)
    #expect(Self.chain(.and, of: 101, fromFirst: true).printedFormat.hasPrefix("k0 == 0 AND k1 == 1 AND"))
  }

  @Test("chains of one kind of compound print inside of a subquery and of other chains")
  func chainsInside() throws {
    let inner = Self.chain(.or, of: 150, fromFirst: false)
    let outer = Self.chain(.and, of: 150, fromFirst: true)
    let mixed = CompoundPredicate(type: .and, subpredicates: [outer, inner])
    #expect(try NSPredicate(parsing: mixed.printedFormat).printedFormat == mixed.printedFormat)
    let subquery = NSExpression(
      forSubquery: NSExpression(forKeyPath: "list"),
      usingIteratorVariable: "x",
      predicate: mixed
    )
    #expect(try NSExpression(parsing: subquery.description).description == subquery.description)
  }

  @Test("chains of one kind of compound replace their variables at any length")
  func substitutionInChains() throws {
    let parts = (0..<2_000).map { NSPredicate(format: "a != $x AND a != %d", $0 + 10) }
    let chain = parts.dropFirst().reduce(parts[0]) { CompoundPredicate(type: .and, subpredicates: [$0, $1]) }
    let filled = chain.withSubstitutionVariables(["x": 1])
    #expect(try PredicateEvaluator(filled)(["a": 2]))
    #expect(try !PredicateEvaluator(filled)(["a": 1]))
    #expect(try !PredicateEvaluator(filled)(["a": 2_009]))
  }

  @Test(
    "trees of the parser's maximum height parse as they were printed",
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
    "keys that begin with a digit parse as they were printed",
    arguments: [
      "0.#95 == a", "a.#1.b == 2", "#1 == 1", "7 == (4.S0).L", "($x.a).b == 1", "#self.\u{735}SELf == 0",
    ]
  )
  func digits(_ format: String) throws {
    let predicate = try NSPredicate(parsing: format)
    #expect(try NSPredicate(parsing: predicate.printedFormat) == predicate)
  }
}
