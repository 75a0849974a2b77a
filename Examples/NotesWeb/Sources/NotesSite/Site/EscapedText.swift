import Mustache

/// Text in HTML, in which nothing is markup that came from a note.
///
/// The library's own escaping goes by characters as people see them, and a quotation mark with an accent on it is
/// another character than a quotation mark; to a browser it is a quotation mark. Here each scalar counts.
struct EscapedText: MustacheContentType {
  static let name = "NOTES"

  func escapeText(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // A text area leaves out a line break at its beginning, and reads a carriage return as one.
      case "\n": escaped += "&#10;"
      case "\r": escaped += "&#13;"
      case "\t": escaped.unicodeScalars.append(scalar)
      // Control characters are no HTML; their pictures are.
      case "\u{0}"..."\u{1F}": escaped.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case "\u{7F}"..."\u{9F}": escaped.unicodeScalars.append("\u{FFFD}")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
