/// Numbers and bytes as hexadecimal digits.
package enum HexadecimalDigits {
  /// Returns two lowercase digits for each byte.
  package static func of(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the uppercase digits of a number, padded with leading zeros to a count.
  package static func of(_ number: UInt64, count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
