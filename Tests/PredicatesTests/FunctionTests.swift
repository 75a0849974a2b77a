import Foundation
import Predicates
import Testing

@Suite("Functions and arithmetic have the values that Apple documents")
struct FunctionTests {
  static let object: [String: any Sendable] = [
    "a": 7, "b": -2, "d": 2.5, "list": [3, 1, 2, 3], "s": "Straße", "empty": [Int](),
  ]

  static let values: [(String, any Sendable & Equatable)] = [
    ("1 + 2", 3), ("a - b", 9), ("a * d", 17.5), ("a / 2", 3), ("a / 2.0", 3.5), ("b / a", 0),
    ("2 ** 10", 1024),
    ("2 ** -1", 0.5), ("modulus:by:(a, 4)", 3), ("modulus:by:(d, 2)", 0.5), ("-a", -7), ("7 & 3", 3),
    ("4 | 3", 7),
    ("7 ^ 2", 5), ("~0", -1), ("1 << 4", 16), ("-16 >> 2", -4), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9),
    ("9223372036854775807 + 1", 9223372036854775808.0), ("sum(list)", 9), ("sum(1, 2, 3.5)", 6.5),
    ("count(list)", 4),
    ("min(list)", 1), ("max(list)", 3), ("max(1, 5, 2)", 5), ("average(list)", 2.25), ("median(list)", 2.5),
    ("median({1, 5, 2})", 2.0), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2.0), ("mode(list)", [3]),
    ("distinct(list)", [3, 1, 2]),
    ("sum(empty)", 0), ("count(empty)", 0), ("sqrt(16)", 4.0), ("log(1000)", 3.0), ("ln(1)", 0.0),
    ("exp(0)", 1.0),
    ("floor(-1.5)", -2.0), ("ceiling(-1.5)", -1.0), ("trunc(-1.5)", -1.0), ("abs(b)", 2), ("abs(-2.5)", 2.5),
    ("floor(3)", 3), ("uppercase(s)", "STRASSE"), ("lowercase('ÀB')", "àb"), ("canonical('Été')", "ete"),
    ("length(s)", 6),
    ("onesComplement(5)", -6), ("noindex(a)", 7), ("CAST('12', 'NSNumber')", 12),
    ("CAST('1.5', 'NSNumber')", 1.5),
    ("CAST(a, 'NSString')", "7"), ("TERNARY(a > 5, 'big', 'small')", "big"), ("{1, a}[1]", 7),
    ("list[FIRST]", 3), ("list[LAST]", 3),
    ("list[SIZE]", 4), ("list[a - 6]", 1), ("list UNION {9}", [3, 1, 2, 9]),
    ("list INTERSECT {1, 2, 8}", [1, 2]),
    ("list MINUS {1}", [3, 2]), ("SUBQUERY(list, $x, $x > 1)", [3, 2, 3]),
    ("FUNCTION(s, 'lowercaseString')", "straße"),
    ("FUNCTION(s, 'stringByAppendingString:', '!')", "Straße!"), ("FUNCTION(list, 'count')", 4),
    ("FUNCTION(list, 'objectAtIndex:', 1)", 1), ("FUNCTION(list, 'containsObject:', 2)", 1),
    ("FUNCTION(s, 'hasPrefix:', 'Str')", 1),
    ("FUNCTION(SELF, 'valueForKey:', 'a')", 7), ("list.@sum.self", 9),
  ]

  @Test("the expression has the value", arguments: values)
  func value(format: String, expected: any Sendable & Equatable) throws {
    let result = try PredicatesTests.value(format, Self.object)
    #expect(EvaluatedValue(result).isEqual(to: EvaluatedValue(expected)), "\(String(describing: result))")
    let expression = NSExpression(format: format)
    #expect(
      EvaluatedValue(expression.expressionValue(with: Self.object, context: nil)).isEqual(
        to: EvaluatedValue(expected)
      )
    )
  }

  static let nulls = [
    "1 / 0", "1.5 / 0", "modulus:by:(1, 0)", "nope + 1", "1 - nope", "-nope", "max(empty)", "average(empty)",
    "min(nope)",
    "median(empty)", "uppercase(nope)", "list[9]", "list[-1]", "nope[0]", "empty[FIRST]",
    "CAST(nope, 'NSDate')",
    "FUNCTION(nope, 'count')", "sqrt(nope)",
  ]

  @Test("the expression has no value", arguments: nulls)
  func null(format: String) throws {
    #expect(try PredicatesTests.value(format, Self.object) == nil)
  }

  static let errors = [
    "'a' + 1", "sqrt('a')", "1e30 & 1", "random(0)", "random(-5)", "CAST('x', 'NSNumber')",
    "CAST('x', 'NSUUID')", "a[0]",
    "list['x']", "sum('x')", "max({1, 'a'})", "a UNION list", "SUBQUERY(a, $x, TRUEPREDICATE)",
    "FUNCTION(a, 'count')",
  ]

  @Test("the expression is an error, or nil if nothing can be thrown", arguments: errors)
  func impossible(format: String) throws {
    #expect(throws: PredicateEvaluationError.self) { try PredicatesTests.value(format, Self.object) }
    #expect(try NSExpression(parsing: format).expressionValue(with: Self.object, context: nil) == nil)
  }

  @Test("now and random are evaluated each time")
  func volatile() throws {
    let before = Date()
    let now = try #require(try PredicatesTests.value("now()") as? Date)
    #expect(now >= before && now <= Date())
    for _ in 0..<100 {
      let number = try #require(try PredicatesTests.value("random(3)") as? Int)
      #expect((0..<3).contains(number))
    }
    #expect(try PredicatesTests.value("random()") is Int)
  }

  @Test("decimals stay decimals")
  func decimals() throws {
    let object: [String: Any] = ["p": Decimal(string: "0.1") as Any, "q": Decimal(string: "-1.5") as Any]
    #expect(try PredicatesTests.value("p + 0.2", object) as? Decimal == Decimal(string: "0.3"))
    #expect(try PredicatesTests.value("p * 3", object) as? Decimal == Decimal(string: "0.3"))
    #expect(try PredicatesTests.value("floor(q)", object) as? Decimal == -2)
    #expect(try PredicatesTests.value("ceiling(q)", object) as? Decimal == -1)
    #expect(try PredicatesTests.value("trunc(q)", object) as? Decimal == -1)
    #expect(try PredicatesTests.value("abs(q)", object) as? Decimal == Decimal(string: "1.5"))
    #expect(
      try PredicatesTests.value("sum({%@, %@})".replacing("%@", with: "p"), object) as? Decimal
        == Decimal(string: "0.2")
    )
  }

  @Test("dates are numbers of seconds")
  func dates() throws {
    let object = ["d": Date(timeIntervalSinceReferenceDate: 100)]
    #expect(try PredicatesTests.value("d + 5", object) as? Double == 105)
    #expect(
      try PredicatesTests.value("CAST(d + 5, 'NSDate')", object) as? Date
        == Date(timeIntervalSinceReferenceDate: 105)
    )
    #expect(try PredicatesTests.value("max({d, CAST(5, 'NSDate')})", object) as? Date == object["d"])
    let later = try PredicatesTests.value("FUNCTION(d, 'dateByAddingTimeInterval:', 5)", object) as? Date
    #expect(later == Date(timeIntervalSinceReferenceDate: 105))
  }

  @Test("variables are values of the context")
  func context() {
    let expression = NSExpression(format: "$x * 2")
    #expect(expression.expressionValue(with: nil, context: ["x": 4]) as? Int == 8)
    #expect(expression.expressionValue(with: nil, context: nil) == nil)
  }

  @Test("products and quotients of decimals beyond their range are floating-point numbers")
  func decimalRange() throws {
    let large = "CAST(\"1e100\", \"NSDecimalNumber\")"
    #expect(try PredicatesTests.value("\(large) * \(large)") as? Double == 1e200)
    #expect(try PredicatesTests.value("1 / (\(large) * \(large))") as? Double == 1e-200)
    #expect(try PredicatesTests.value("average({\(large), \(large)})") != nil)
  }
}
