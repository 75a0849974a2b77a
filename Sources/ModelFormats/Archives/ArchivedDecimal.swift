import Foundation
import PropertyLists

/// Decimal numbers in keyed archives: up to eight digits of 16 bits, the least significant first, and a power of ten.
///
/// Linux Foundation stops the program when it archives an `NSDecimalNumber`, and reads another
/// number than was archived.
enum ArchivedDecimal {
  /// The number of 16-bit words in a decimal's mantissa.
  private static let room = 8

  /// The number of an archived `NSDecimalNumber`; `nil` for other objects.
  static func value(of object: ArchivedInstance) throws(ModelFileError) -> Decimal? {
    guard case .data(let mantissa)? = try object.value("NS.mantissa"), mantissa.count == room * 2,
      let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent),
      let length = try object.integer("NS.length"), (0...Int64(room)).contains(length)
    else { return nil }
    let isNegative = try object.boolean("NS.negative")
    let isBigEndian = try object.integer("NS.mantissa.bo") == 2
    // A decimal with a sign and without digits is NaN.
    if length == 0 { return isNegative ? .nan : 0 }
    let bytes = [UInt8](mantissa)
    let digits = (0..<Int(length)).reversed().reduce(UInt128(0)) { number, index in
      let (first, second) = (UInt128(bytes[index * 2]), UInt128(bytes[index * 2 + 1]))
      return number << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
    guard let significand = Decimal(string: String(digits), locale: nil) else { return nil }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
  }

  /// The fields with which an `NSDecimalNumber` is archived.
  static func fields(of value: Decimal) -> [KeyedArchiveWriter.Field] {
    let digits = value.isNaN ? 0 : UInt128("\(value.significand.magnitude)") ?? 0
    let length = (128 - digits.leadingZeroBitCount + 15) / 16
    let bytes = (0..<room).flatMap { index in
      let digit = UInt16(truncatingIfNeeded: digits >> UInt128(index * 16))
      return [UInt8(digit & 0xFF), UInt8(digit >> 8)]
    }
    return [
      ("NS.mantissa", .data(Data(bytes))),
      ("NS.exponent", .integer(value.isNaN ? 0 : Int64(value.exponent))),
      ("NS.length", .integer(Int64(length))),
      ("NS.mantissa.bo", .integer(1)),
      ("NS.negative", .boolean(value.isNaN || value.isSignMinus)),
      ("NS.compact", .boolean(true)),
    ]
  }
}
