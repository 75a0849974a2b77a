import Foundation
import Predicates
import Testing

@Suite("The rule of databases for nulls")
struct NullRuleTests {
  private static var full: Record {
    Record(["number": 2, "text": "swift", "list": ["swift", "d"], "other": 3, "notNumber": Double.nan])
  }
  private static var empty: Record {
    Record(["number": nil, "text": nil, "list": nil, "other": nil, "notNumber": Double.nan])
  }

  private func matches(
    _ format: String,
    _ record: Record,
    _ arguments: [Any?] = [],
    variables: [String: Any]? = nil
  ) throws -> Bool {
    let predicate = try NSPredicate(parsing: format, arguments: arguments)
    return try PredicateEvaluator(predicate, variables: variables, nulls: .asInSQL)(record)
  }

  @Test(
    "neither a comparison with a missing value holds nor its opposite",
    arguments: [
      "number == 3", "number < 1", "number > 2", "number BETWEEN {5, 6}", "number IN {1, 3}", "text == 'c'",
      "text BEGINSWITH 'c'", "text ENDSWITH[c] 'C'", "text CONTAINS 'c'", "text LIKE 'c*'",
      "text MATCHES 'c+'",
      "number > other", "'c' IN text", "number + other == 6", "text.length == 1",
    ]
  )
  func unknown(_ format: String) throws {
    for format in [format, "NOT (NOT \(format))"] {
      #expect(try !matches(format, Self.full), "\(format)")
      #expect(try matches("NOT (\(format))", Self.full), "\(format)")
      #expect(try !matches(format, Self.empty), "\(format)")
      #expect(try !matches("NOT (\(format))", Self.empty), "\(format)")
    }
  }

  @Test("what asks for nil holds, or its opposite")
  func known() throws {
    for format in ["number == nil", "nil == text", "number == other", "number IN {1, nil}"] {
      #expect(try matches(format, Self.empty), "\(format)")
      #expect(try !matches("NOT (\(format))", Self.empty), "\(format)")
    }
    for format in ["number IN {}", "number IN nil", "ANY list == 'c'", "3 IN list"] {
      #expect(try !matches(format, Self.empty), "\(format)")
      #expect(try matches("NOT (\(format))", Self.empty), "\(format)")
    }
  }

  @Test("NaN is a missing value, and an invalid number as a constant equals nothing")
  func notNumbers() throws {
    for record in [Self.full, Self.empty] {
      #expect(try !matches("notNumber == 1", record))
      #expect(try !matches("notNumber != 1", record))
    }
    #expect(try matches("number != %@", Self.full, [Double.nan]))
    #expect(try matches("NOT number < %@", Self.full, [Double.nan]))
    #expect(try !matches("number != %@", Self.empty, [Double.nan]))
  }

  @Test("a limit that decides makes BETWEEN known")
  func limits() throws {
    #expect(try matches("NOT number BETWEEN {nil, 1}", Self.full))
    #expect(try matches("NOT number BETWEEN {3, nil}", Self.full))
    #expect(try matches("NOT number BETWEEN {other, nil}", Self.full))
    #expect(try !matches("NOT number BETWEEN {1, nil}", Self.full))
    #expect(try !matches("NOT number BETWEEN {nil, nil}", Self.full))
    #expect(try !matches("NOT number BETWEEN {nil, 1}", Self.empty))
  }

  @Test("a value that a constant object lacks is missing, and so is a variable's")
  func workedOut() throws {
    #expect(try !matches("number != $v", Self.full, variables: ["v": NSNull()]))
    #expect(try matches("number != $v", Self.full, variables: ["v": 7]))
    let template = NSPredicate(format: "number != $record.number")
    let predicate = template.withSubstitutionVariables(["record": Self.empty])
    #expect(try !PredicateEvaluator(predicate, nulls: .asInSQL)(Self.full))
    #expect(try PredicateEvaluator(predicate)(Self.full))
  }

  @Test("the predicates inside of expressions have it too")
  func inside() throws {
    #expect(try matches("TERNARY(number != 3, 1, 2) == 1", Self.full))
    #expect(try matches("TERNARY(number != 3, 1, 2) == 2", Self.empty))
    let outer = Record(["records": [Self.full, Self.empty]])
    #expect(try matches("SUBQUERY(records, $r, $r.number != 3).@count == 1", outer))
    let count = Predicates.NSExpression(format: "TERNARY(number != 3, 1, 2)")
    #expect(try ExpressionEvaluator(count, nulls: .asInSQL)(Self.empty) as? Int == 2)
    #expect(try ExpressionEvaluator(count)(Self.empty) as? Int == 1)
  }
}
