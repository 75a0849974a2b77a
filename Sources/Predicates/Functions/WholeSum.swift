import Foundation

/// A sum of whole numbers that does not depend on their order.
package struct WholeSum {
  /// The sum modulo 2 to the power of 64. ``overflows`` is the number of times that the sum left
  /// the 64 bits. Both are zero at the beginning, so zeroed memory is the sum of no numbers.
  private var whole: Int64 = 0
  private var overflows: Int64 = 0

  package init() {}

  package mutating func add(_ number: Int64) {
    let (sum, overflow) = whole.addingReportingOverflow(number)
    if overflow { overflows += number < 0 ? -1 : 1 }
    whole = sum
  }

  /// The sum: the nearest floating-point number where it does not fit 64 bits.
  package var total: NumberValue {
    if overflows == 0 { return .integer(whole) }
    // A conversion of each part to a floating-point number would round each part.
    let sum = Decimal(overflows) * (Decimal(UInt64.max) + 1) + Decimal(whole)
    return .double(sum.nearestDouble)
  }
}
