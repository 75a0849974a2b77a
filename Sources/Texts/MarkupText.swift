/// A text as it stands in XML and HTML, between tags or in an attribute in quotation marks.
///
/// Control characters, those that turn the direction of a text and those that XML forbids are spelled, as
/// ``VisibleText`` does; the characters of markup are escaped. It looks at characters of Unicode: what a
/// reader takes for one may be a quotation mark with an accent, which ends an attribute all the same.
package struct MarkupText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Parameter most: the number of characters of Unicode that the text has at the most; a longer one ends
  ///   in three dots.
  package init(_ text: String, atMost most: Int = .max) {
    description = text.spelledForXML(atMost: most).escapedForMarkup
  }
}

extension String {
  /// The text with the characters of markup escaped, and nothing else. It looks at bytes, which all of them are:
  /// an accent behind a quotation mark makes no other character of it.
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

  /// The text on one line, with the characters spelled that control a terminal or turn the direction of a
  /// text, and those that XML has no way to write.
  /// - Parameter most: the number of characters of Unicode that the text has at the most; a longer one ends
  ///   in three dots.
  package func spelledForXML(atMost most: Int = .max) -> String {
    let visible = VisibleText(spelling: self, atMost: most).description
    // Both begin with this byte.
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
