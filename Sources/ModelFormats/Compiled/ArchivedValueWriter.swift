import Foundation

extension KeyedArchiveWriter {
  /// Adds a value of an attribute or a constant as Foundation archives it; `nil` is nothing.
  mutating func value(_ value: ModelDocument.Value?) -> Int {
    switch value {
    case nil: 0
    case .boolean(let value): boolean(value)
    case .integer(let value): integer(value)
    case .double(let value): real(value)
    case .string(let value): string(value)
    case .date(let value): object(.date, [("NS.time", .real(value.timeIntervalSinceReferenceDate))])
    case .uuid(let value):
      object(.uuid, [("NS.uuidbytes", .data(withUnsafeBytes(of: value.uuid) { Data($0) }))])
    case .uri(let value):
      object(.url, [("NS.base", .uid(0)), ("NS.relative", .uid(string(value.absoluteString)))])
    case .decimal(let value): object(.decimalNumber, Self.fields(of: value))
    }
  }

  /// A decimal: digits of 16 bits, the least significant first, and a power of ten.
  private static func fields(of value: Decimal) -> [Field] {
    var digits: [UInt16] = []
    var rest = value.significand
    let base = Decimal(65_536)
    while rest > 0, digits.count < 8 {
      var quotient = Decimal()
      var exact = rest / base
      NSDecimalRound(&quotient, &exact, 0, .down)
      digits.append(UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: rest - quotient * base).intValue))
      rest = quotient
    }
    let padded = digits + [UInt16](repeating: 0, count: 8 - digits.count)
    let bytes = padded.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [
      ("NS.mantissa", .data(Data(bytes))),
      ("NS.exponent", .integer(Int64(value.exponent))),
      ("NS.length", .integer(Int64(digits.count))),
      ("NS.mantissa.bo", .integer(1)),
      ("NS.negative", .boolean(value.isSignMinus)),
      ("NS.compact", .boolean(true)),
    ]
  }
}
