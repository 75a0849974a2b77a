/// A line of comma-separated values after RFC 4180, with quotation marks where they are needed.
///
/// A line ends with LF, as other programs of a shell expect, while the RFC has CR LF.
///
/// Spreadsheet programs treat a cell that begins with `=`, `+`, `-` or `@` as a formula, and evaluate it.
/// ``guarded(_:)`` puts an apostrophe before such a text, which those programs read as the mark of a text. Control
/// characters are spelled as `\u{1B}`, except for tabs and line breaks, which are data of tables.
package enum CSVLine {
  package static func text(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\n"
  }

  /// The characters that begin formulas, including their full-width forms, and the characters that some programs
  /// skip before a formula.
  private static let formulaStarts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// Returns the text as a field that no spreadsheet program treats as a formula.
  package static func guarded(_ text: String) -> String {
    let text = text.spellingControlCharacters(but: ["\t", "\r", "\n"])
    guard let first = text.unicodeScalars.first, formulaStarts.contains(first), !isNumber(text) else {
      return text
    }
    return "'" + text
  }

  /// Returns true for a negative number, which a spreadsheet program reads as a number: a minus sign, digits, an
  /// optional fraction and an optional exponent.
  private static func isNumber(_ text: String) -> Bool {
    text.utf8.count <= 100 && text.wholeMatch(of: /-[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    let (first, last) = (field.unicodeScalars.first, field.unicodeScalars.last)
    guard needsQuotes || first == " " || last == " " else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
