/// A text that is safe in XML and HTML, between tags or in a quoted attribute.
///
/// Control characters, characters that change the direction of a text and characters that XML forbids are spelled
/// as ``VisibleText`` spells them. The characters of markup are escaped.
///
/// The spelling and the escaping work on Unicode scalars and bytes. One `Character` may be a quotation mark with an
/// accent, and that quotation mark still ends an attribute.
package struct MarkupText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Makes a safe text.
  ///
  /// - Parameter most: the greatest number of Unicode scalars. A longer text is cut and ends in three dots.
  package init(_ text: String, atMost most: Int = .max) {
    description = text.spelledForXML(atMost: most).escapedForMarkup
  }
}

extension String {
  /// The text with the characters of markup escaped, and nothing else.
  ///
  /// It compares bytes, because every character of markup is one byte of UTF-8. An accent after a quotation mark
  /// joins it to one `Character`, but leaves its byte unchanged.
  package var escapedForMarkup: String {
    guard utf8.contains(where: { Self.escape(of: $0) != nil }) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 32)
    for byte in utf8 {
      if let escape = Self.escape(of: byte) { bytes += escape.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func escape(of byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  /// Returns the text on one line, with unsafe characters spelled.
  ///
  /// Unsafe are the characters that control a terminal or change the direction of a text, and those that XML cannot
  /// represent.
  ///
  /// - Parameter most: the greatest number of Unicode scalars. A longer text is cut and ends in three dots.
  package func spelledForXML(atMost most: Int = .max) -> String {
    let visible = VisibleText(spelling: self, atMost: most).description
    // U+FFFE and U+FFFF both begin with this byte in UTF-8.
    guard visible.utf8.contains(0xEF) else { return visible }
    return visible.replacingScalars { scalar in
      switch scalar {
      case "\u{FFFE}": "\\u{FFFE}"
      case "\u{FFFF}": "\\u{FFFF}"
      default: nil
      }
    }
  }
}
