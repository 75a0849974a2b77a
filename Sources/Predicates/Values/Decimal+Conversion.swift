import Foundation

// Foundation's own conversions miss the nearest number of such as 0.11, and a text for each number takes
// most of the time of a store with prices: numbers of a few digits, which most are, need none.

extension Decimal {
  /// The decimal number with the shortest text that denotes a floating-point number: 0.1 means one
  /// tenth. `nil` for numbers without a decimal form.
  package init?(shortest number: Double) {
    if let (significand, digits) = Self.shortSignificand(of: number) {
      self.init(significand, digits: digits)
      return
    }
    guard number.isFinite else { return nil }
    if let decimal = Decimal(string: "\(number)", locale: nil), !decimal.isNaN {
      self = decimal
      return
    }
    // The floating-point number that is nearest to the greatest decimal one is above it.
    let greatest = Decimal.greatestFiniteMagnitude
    guard abs(number) == greatest.nearestDouble else { return nil }
    self = number < 0 ? -greatest : greatest
  }

  /// The nearest floating-point number.
  package var nearestDouble: Double {
    if let (significand, digits) = shortSignificand { return Double(significand) / Self.powers[digits] }
    return Double(description) ?? .nan
  }

  /// The whole number that the number is; `nil` where it has a fraction, or does not fit.
  package var wholeNumber: Int64? {
    guard let (significand, digits) = shortSignificand else { return isNaN ? nil : Int64(description) }
    let (quotient, rest) = significand.quotientAndRemainder(dividingBy: Int64(Self.powers[digits]))
    return rest == 0 ? quotient : nil
  }

  /// The digits of a floating-point number as a whole number, and the number of digits after the decimal point. `nil`
  /// if there are more than ``mostDigits`` after the point, or more than fifteen in all.
  package static func shortSignificand(of number: Double) -> (significand: Int64, digits: Int)? {
    for digits in 0...mostDigits {
      let scaled = (number * powers[digits]).rounded()
      // Of up to fifteen digits there is one number alone that a floating-point one is nearest to.
      guard abs(scaled) < 1e15 else { return nil }
      if scaled / powers[digits] == number { return (Int64(scaled), digits) }
    }
    return nil
  }

  /// The greatest number of digits after the decimal point that a short number has.
  package static let mostDigits = 6
  private static let powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6]

  /// The digits as a whole number, and the number of digits after the decimal point; `nil` if there
  /// are more than ``shortSignificand(of:)`` has.
  private var shortSignificand: (significand: Int64, digits: Int)? {
    // A whole number that ends in zeros has an exponent above 0.
    let digits = max(-exponent, 0)
    guard digits <= Self.mostDigits else { return nil }
    // The error of Foundation's conversion is less than half a digit.
    let scaled = (NSDecimalNumber(decimal: self).doubleValue * Self.powers[digits]).rounded()
    guard abs(scaled) < 1e15, Decimal(Int64(scaled), digits: digits) == self else { return nil }
    return (Int64(scaled), digits)
  }

  /// A number from its digits, and the number of digits after the decimal point.
  init(_ significand: Int64, digits: Int) {
    self.init(sign: significand < 0 ? .minus : .plus, exponent: -digits, significand: Decimal(significand.magnitude))
  }
}
