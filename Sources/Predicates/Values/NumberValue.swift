package import Foundation

/// A number of any type, compared without loss: no `Int64` is rounded to a `Double` on the way.
package enum NumberValue {
  case integer(Int64)
  /// Only what does not fit an `Int64`.
  case unsigned(UInt64)
  case double(Double)
  /// Boxed, so that a value stays small.
  indirect case decimal(Decimal)

  /// The number that a value is; `nil` for anything but a number. `true` is 1 and `false` is 0.
  package init?(any value: Any) {
    // Asked first, because a cast would also turn an NSNumber into a Swift number, and a decimal one into a Double.
    if type(of: value) is AnyClass {
      guard let number = value as AnyObject as? NSNumber else { return nil }
      self.init(number)
      return
    }
    switch value {
    case let number as Int: self = .integer(Int64(number))
    case let number as Bool: self = .integer(number ? 1 : 0)
    case let number as Double: self = .double(number)
    case let number as Float: self = .double(Double(number))
    case let number as Decimal: self = .decimal(number)
    case let number as any FixedWidthInteger:
      if let number = Int64(exactly: number) {
        self = .integer(number)
      } else if let number = UInt64(exactly: number) {
        self = .unsigned(number)
      } else {
        return nil
      }
    case let number as any BinaryFloatingPoint: self = .double(Double(number))
    default: return nil
    }
  }

  package init(_ number: UInt64) {
    if let small = Int64(exactly: number) { self = .integer(small) } else { self = .unsigned(number) }
  }

  package init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
      return
    }
    self.init(plain: number)
  }

  /// - Parameter number: no decimal number.
  init(plain number: NSNumber) {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): self.init(number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  /// The nearest `Double`.
  package var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.nearestDouble
    }
  }

  /// The nearest `Decimal`; `nil` for what has none, such as infinity.
  package var decimal: Decimal? {
    switch self {
    case .integer(let number): return Decimal(number)
    case .unsigned(let number): return Decimal(number)
    case .decimal(let number): return number
    case .double(let number):
      guard abs(number) < 1e120, number == 0 || abs(number) > 1e-100 else { return nil }
      return Decimal(shortest: number)
    }
  }

  /// The number without its fraction, as `%d` and the bitwise functions take it; `nil` when it does not fit.
  package var truncated: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .unsigned: nil
    case .double(let number): Int(exactly: number.rounded(.towardZero))
    case .decimal(let number): Self.truncated(number)
    }
  }

  private static func truncated(_ number: Decimal) -> Int? {
    var number = number
    var whole = Decimal()
    NSDecimalRound(&whole, &number, 0, number.isSignMinus ? .up : .down)
    return Int(whole.description)
  }

  /// The number as a value: an `Int` where it fits.
  package var any: Any {
    switch self {
    case .integer(let number): Int(exactly: number) ?? number
    case .unsigned(let number): number
    case .double(let number): number
    case .decimal(let number): number
    }
  }
}

extension NumberValue {
  /// The number as users of Foundation get it, which casts to each of Swift's number types.
  package var number: NSNumber {
    switch self {
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    }
  }

  /// The order of two numbers; `nil` when one is not a number (NaN).
  package func compare(_ other: NumberValue) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return Self.order(a, b)
    case (.double(let a), .double(let b)): return a.isNaN || b.isNaN ? nil : Self.order(a, b)
    case (.unsigned(let a), .unsigned(let b)): return Self.order(a, b)
    case (.integer, .unsigned): return .orderedAscending
    case (.unsigned, .integer): return .orderedDescending
    case (.integer(let a), .double(let b)): return Self.compare(a, double: b)
    case (.double(let a), .integer(let b)): return Self.compare(b, double: a)?.reversed
    case (.unsigned(let a), .double(let b)): return Self.compare(a, double: b)
    case (.double(let a), .unsigned(let b)): return Self.compare(b, double: a)?.reversed
    case (.decimal, _), (_, .decimal):
      guard let a = decimal, let b = other.decimal else {
        let (a, b) = (double, other.double)
        return a.isNaN || b.isNaN ? nil : Self.order(a, b)
      }
      return a.isNaN || b.isNaN ? nil : Self.order(a, b)
    }
  }

  /// An integer and a `Double`, exactly.
  private static func compare<Integer: FixedWidthInteger>(_ integer: Integer, double: Double) -> ComparisonResult? {
    if double.isNaN { return nil }
    let whole = double.rounded(.down)
    guard let floor = Integer(exactly: whole) else { return double < 0 ? .orderedDescending : .orderedAscending }
    if integer != floor { return order(integer, floor) }
    return whole == double ? .orderedSame : .orderedAscending
  }

  private static func order<Number: Comparable>(_ a: Number, _ b: Number) -> ComparisonResult {
    a < b ? .orderedAscending : (a == b ? .orderedSame : .orderedDescending)
  }
}

extension ComparisonResult {
  /// The result with both sides exchanged.
  package var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }
}
