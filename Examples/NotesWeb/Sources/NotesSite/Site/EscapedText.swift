import Mustache

/// Text in HTML. No part of a note can become markup.
///
/// The library's own escaping compares grapheme clusters: a quotation mark with a combining accent is another
/// character. For a browser it is still a quotation mark. This type therefore escapes each scalar.
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
      // A text area drops a line break at its beginning, and reads a carriage return as a line break.
      case "\n": escaped += "&#10;"
      case "\r": escaped += "&#13;"
      case "\t": escaped.unicodeScalars.append(scalar)
      // Control characters are not valid in HTML. Their visible symbols are.
      case "\u{0}"..."\u{1F}": escaped.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
      case "\u{7F}"..."\u{9F}": escaped.unicodeScalars.append("\u{FFFD}")
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
