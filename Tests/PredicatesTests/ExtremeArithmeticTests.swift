import Foundation
import Predicates
import Testing

@Suite("Predicates of numbers at the limits of their types")
struct ExtremeArithmeticTests {
  private static let numbers = [
    "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "-1e308", "1e-320", "0",
    "-1", "0.1", "99999999999999999999999999999999999999", "64", "-64",
  ]

  @Test(
    "operators and functions of them have a value, an error or none, and never stop the program",
    arguments: numbers
  )
  func operators(_ one: String) throws {
    let record: [String: Any] = ["list": [1, 2, 3], "date": Date(timeIntervalSinceReferenceDate: 1e308)]
    for other in Self.numbers {
      let pairs = ["+", "-", "*", "/", "**"].map { "\(one) \($0) \(other)" }
      let functions = [
        "modulus:by:", "bitwiseAnd:with:", "leftshift:by:", "rightshift:by:", "raise:toPower:", "add:to:",
      ].map { "\($0)(\(one), \(other))" }
      for expression in pairs + functions + [
        "list[\(one)]", "CAST(\(one), 'NSDate')", "CAST(\(one), 'NSString')",
      ] {
        for format in ["\(expression) == \(other)", "\(expression) BETWEEN {\(one), \(other)}"] {
          guard let predicate = try? NSPredicate(parsing: format, arguments: []) else { continue }
          _ = try? PredicateEvaluator(predicate)(record)
        }
      }
    }
    for function in ["abs", "floor", "ceiling", "trunc", "sqrt", "ln", "exp", "onesComplement", "random"] {
      let format = "\(function)(\(one)) != nil"
      guard let predicate = try? NSPredicate(parsing: format, arguments: []) else { continue }
      _ = try? PredicateEvaluator(predicate)(record)
    }
    let dates = try? NSPredicate(parsing: "date == CAST(\(one), 'NSDate')", arguments: [])
    _ = try dates.map { try PredicateEvaluator($0)(record) }
  }

  @Test("arguments of formats may be any number")
  func arguments() throws {
    let values: [Any?] = [
      Double.infinity, -Double.infinity, Double.nan, Double.greatestFiniteMagnitude, Int.min, Int.max,
      UInt64.max,
      Decimal.nan, Decimal.greatestFiniteMagnitude, NSNumber(value: 1e300), NSDecimalNumber.notANumber,
    ]
    for value in values {
      for format in [
        "SELF == %@", "SELF == %d", "SELF == %f", "SELF == %c", "SELF[%d] == 1", "SELF ** %@ > 1",
      ] {
        guard let predicate = try? NSPredicate(parsing: format, arguments: [value]) else { continue }
        for object in [1, -1.5, Decimal(3), [1, 2]] as [Any] {
          _ = try? PredicateEvaluator(predicate)(object)
        }
        #expect(!predicate.printedFormat.isEmpty)
      }
    }
    #expect(try NSPredicate(parsing: "SELF == %d", arguments: [3.7]).printedFormat == "SELF == 3")
  }
}
