import Foundation

/// The spelling of numbers in JSON.
enum JSONNumber {
  /// The longest number, in characters. Every finite `Double` can be written out exactly in fewer;
  /// the time that it takes to read a number goes up with the square of its length.
  static let longest = 2048

  /// Returns true if the whole text is a number. Foundation's `Decimal(string:)` reads `12abc` as 12.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= longest, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }

  /// The decimal number of the digits; nil if a decimal cannot hold all of them, or if the text is not a number.
  ///
  /// `Decimal(string:)` rounds to the 38 digits that it can hold, and returns zero for numbers that are too small.
  static func decimal(_ digits: String) -> Decimal? {
    guard isValid(digits), let decimal = Decimal(string: digits), decimal.isFinite,
      Spelling(digits) == Spelling("\(decimal)")
    else { return nil }
    return decimal
  }

  /// The significant digits of a number and the power of ten of the last.
  private struct Spelling: Equatable {
    private var digits: [UInt8] = []
    private var exponent = 0

    init(_ text: String) {
      let parts = text.lowercased().split(separator: "e", maxSplits: 1)
      let mantissa = parts.first ?? ""
      digits = mantissa.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      let fraction = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        .dropFirst()
      digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
      // Only zero can have an exponent that does not fit an `Int`.
      exponent = (parts.count > 1 ? Int(parts[1]) ?? .max / 2 : 0) - (fraction.first?.utf8.count ?? 0)
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      if digits.isEmpty { exponent = 0 }
    }
  }
}
