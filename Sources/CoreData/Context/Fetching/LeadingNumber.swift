/// The number that a text begins with, as SQLite reads it where it adds up texts.
///
/// Foundation's `NSString.doubleValue` stops the program for some texts that are not numbers.
struct LeadingNumber {
  /// 0 for a text that begins with no number.
  private(set) var value = 0.0
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
    // Blanks, tabulators and the ends of lines.
    rest = rest.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    var number = sign()
    let whole = digits()
    var fraction = ""
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = digits()
    }
    if whole.isEmpty, fraction.isEmpty { return }
    number += whole.isEmpty ? "0" : whole
    if !fraction.isEmpty { number += "." + fraction }
    if let first = rest.first, first == UInt8(ascii: "e") || first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      let sign = sign()
      let exponent = digits()
      if !exponent.isEmpty { number += "e" + sign + exponent }
    }
    value = Double(number) ?? 0
  }

  private mutating func sign() -> String {
    guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return "" }
    rest = rest.dropFirst()
    return first == UInt8(ascii: "-") ? "-" : ""
  }

  private mutating func digits() -> String {
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest = rest.dropFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }
}
