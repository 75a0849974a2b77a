/// The spelling of numbers in JSON.
enum JSONNumber {
  /// Whether the whole text is a number: Foundation's `Decimal(string:)` takes `12abc` for 12.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }
}
