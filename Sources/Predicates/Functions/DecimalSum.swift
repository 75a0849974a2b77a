import Foundation

/// A sum of decimal numbers that does not depend on their order.
///
/// Numbers of a few digits, as prices are, are added as whole numbers: a decimal number is a list of
/// digits, which takes much longer.
package struct DecimalSum {
  /// The number of numbers.
  package private(set) var count: Int64 = 0
  /// The sum of short numbers, in units of the last digit that they may have.
  private var units: Int64 = 0
  /// The sum of all that is not in the units.
  private var rest = Decimal()
  /// True when the sum has more digits than a decimal number, or one of the numbers is calculated with as
  /// a floating-point one.
  private var isInexact = false

  package init() {}

  /// The sum; `nil` where a decimal number has not enough digits for it.
  package var total: Decimal? {
    var sum = self
    sum.moveUnits()
    return sum.isInexact ? nil : sum.rest
  }

  /// The mean; `nil` of none, and where there is no ``total``.
  package var average: Decimal? { count == 0 ? nil : total.map { $0 / Decimal(count) } }

  package mutating func add(_ number: Int64) {
    if !addUnits(number, digits: 0) { add(Decimal(number)) }
  }

  /// Adds a decimal number that is kept as a floating-point one.
  ///
  /// - Returns: false where it has no decimal one.
  package mutating func add(_ number: Double) -> Bool {
    if let (significand, digits) = Decimal.shortSignificand(of: number),
      addUnits(significand, digits: digits)
    {
      return true
    }
    guard let decimal = Decimal(shortest: number), !decimal.isNaN else { return false }
    add(decimal)
    return true
  }

  package mutating func add(_ number: Decimal) {
    count += 1
    addToRest(number)
  }

  /// - Returns: false where the number is too large.
  private mutating func addUnits(_ significand: Int64, digits: Int) -> Bool {
    let (value, isTooLarge) = significand.multipliedReportingOverflow(by: Self.factors[digits])
    if isTooLarge { return false }
    let (sum, overflows) = units.addingReportingOverflow(value)
    if overflows { moveUnits() }
    units = overflows ? value : sum
    count += 1
    return true
  }

  private mutating func moveUnits() {
    addToRest(Decimal(units, digits: Decimal.mostDigits))
    units = 0
  }

  private mutating func addToRest(_ number: Decimal) {
    var (sum, left, right) = (Decimal(), rest, number)
    if !Arithmetic.isCalculable(number) || NSDecimalAdd(&sum, &left, &right, .plain) != .noError { isInexact = true }
    rest = sum
  }

  /// The factors that convert numbers to units, by the number of digits after the decimal point.
  private static let factors: [Int64] = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1]
}
