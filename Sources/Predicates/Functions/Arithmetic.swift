import Foundation

/// Arithmetic as SQL has it: of two integers an integer, of a decimal and any number a decimal, else a `Double`. An
/// integer result that overflows becomes a `Double`. A division by zero has no value.
package enum Arithmetic {
  package static func add(_ a: NumberValue, _ b: NumberValue) -> NumberValue {
    combine(a, b, { $0.addingReportingOverflow($1) }, +, +)
  }

  package static func subtract(_ a: NumberValue, _ b: NumberValue) -> NumberValue {
    combine(a, b, { $0.subtractingReportingOverflow($1) }, -, -)
  }

  package static func multiply(_ a: NumberValue, _ b: NumberValue) -> NumberValue {
    combine(a, b, { $0.multipliedReportingOverflow(by: $1) }, *, *)
  }

  package static func divide(_ a: NumberValue, _ b: NumberValue) -> NumberValue? {
    if b.double == 0 { return nil }
    return combine(a, b, { $0.dividedReportingOverflow(by: $1) }, /, /)
  }

  package static func remainder(_ a: NumberValue, _ b: NumberValue) -> NumberValue? {
    if b.double == 0 { return nil }
    if case (.integer(let a), .integer(let b)) = (a, b) {
      return .integer(a.remainderReportingOverflow(dividingBy: b).partialValue)
    }
    return .double(a.double.truncatingRemainder(dividingBy: b.double))
  }

  static func power(_ a: NumberValue, _ b: NumberValue) -> NumberValue {
    if case (.integer(let base), .integer(let exponent)) = (a, b), exponent >= 0,
      let result = integerPower(base, exponent: exponent)
    {
      return .integer(result)
    }
    return .double(pow(a.double, b.double))
  }

  private static func integerPower(_ base: Int64, exponent: Int64) -> Int64? {
    if base == 1 || exponent == 0 { return 1 }
    if base == 0 { return 0 }
    if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
    guard exponent < 64 else { return nil }
    var result: Int64 = 1
    for _ in 0..<exponent {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return nil }
      result = product
    }
    return result
  }

  private static func combine(
    _ a: NumberValue,
    _ b: NumberValue,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ doubles: (Double, Double) -> Double,
    _ decimals: (Decimal, Decimal) -> Decimal
  ) -> NumberValue {
    switch (a, b) {
    case (.integer(let x), .integer(let y)):
      let (result, overflow) = integers(x, y)
      return overflow ? .double(doubles(Double(x), Double(y))) : .integer(result)
    case (.decimal, _), (_, .decimal):
      if let x = a.decimal, let y = b.decimal, isCalculable(x), isCalculable(y) {
        let result = decimals(x, y)
        if !result.isNaN { return .decimal(result) }
      }
      return .double(doubles(a.double, b.double))
    default: return .double(doubles(a.double, b.double))
    }
  }

  /// Returns true when a decimal is far enough from the limits of its exponent. Foundation stops
  /// the program where a product or a quotient is beyond them.
  static func isCalculable(_ number: Decimal) -> Bool { number.isFinite && abs(number.exponent) <= 40 }
}
