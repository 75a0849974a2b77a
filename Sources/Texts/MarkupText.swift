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
    let visible = text.spelledForXML(atMost: most)
    guard visible.utf8.contains(where: Self.isMarkup) else {
      description = visible
      return
    }
    description = visible.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: nil
      }
    }
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    default: false
    }
  }
}

extension String {
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
