/// The spelling of numbers in JSON.
enum JSONNumber {
  /// The longest number, in characters. Every finite `Double` can be written out exactly in fewer; the time that it takes to
  /// read a number goes up with the square of its length.
  static let longest = 2048

  /// Whether the whole text is a number: Foundation's `Decimal(string:)` takes `12abc` for 12.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= longest, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }
}
