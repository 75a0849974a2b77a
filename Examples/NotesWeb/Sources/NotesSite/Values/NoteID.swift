/// The ID of a note in addresses, such as `p12`: the last part of its object's URI.
package struct NoteID: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Parameter text: The text in an address. The result is nil unless it consists of `p` and a number.
  package init?(_ text: some StringProtocol) {
    let digits = text.dropFirst()
    guard text.utf8.first == UInt8(ascii: "p"), (1...18).contains(digits.utf8.count),
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    description = String(text)
  }
}
