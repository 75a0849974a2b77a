/// Numbers and bytes as hexadecimal digits.
package enum HexadecimalDigits {
  /// Two digits for each byte, in small letters.
  package static func of(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The digits of a number in capital letters, with zeros in front up to a count.
  package static func of(_ number: UInt64, count: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
