/// A text that data had a part in, made safe to be shown on a terminal and in a log.
///
/// Control characters (C0, DELETE and C1, which terminals take for commands) and the characters
/// that turn the direction of what follows are spelled as `\u{1B}`, as are characters without a width,
/// by which two texts look the same. Joiners stay, because Persian words and emoji have them. Marks of direction that concern
/// their neighbours alone stay, since Arabic and Hebrew texts have them. Everything that the
/// program shows to people goes through this type; formats for machines have rules of their own.
package struct VisibleText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// One line: breaks of lines and tabs become single spaces.
  /// - Parameter most: the number of characters of Unicode that it has at the most; a longer text
  ///   ends in three dots.
  package init(line text: String, atMost most: Int = .max) {
    let text = text.cut(to: most)
    guard text.needsSpelling else {
      description = text
      return
    }
    let words = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    description = words.spelled { $0 == "\t" ? " " : nil }
  }

  /// One line on which breaks of lines and tabs are spelled as well, so that none of the text is
  /// lost.
  /// - Parameter most: the number of characters of Unicode that it has at the most before they are
  ///   spelled.
  package init(spelling text: String, atMost most: Int = .max) {
    let text = text.cut(to: most)
    description = text.needsSpelling ? text.spelled { _ in nil } : text
  }

  /// Lines, whose breaks and tabs stay as they are.
  package init(lines text: String) {
    description = text.needsSpelling ? text.spelled { $0 == "\n" || $0 == "\t" ? $0 : nil } : text
  }
}

extension String {
  /// Values and underlying messages may hold anything, and an error is one line.
  package var onOneLine: String { VisibleText(line: self).description }

  /// Short enough to stand in an error's single line. Counted are characters of Unicode, since what
  /// a reader takes for one may have very many.
  package var abbreviated: String { cut(to: 60) }

  package func cut(to most: Int) -> String {
    // Every character of Unicode has at least one byte.
    guard utf8.count > most, unicodeScalars.dropFirst(most).first != nil else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(max(0, most - 3)))) + "..."
  }

  fileprivate var needsSpelling: Bool {
    !utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  fileprivate func spelled(_ replacement: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
    replacingScalars { scalar in
      if let replacement = replacement(scalar) { return String(replacement) }
      return scalar.isCommand || scalar.turnsDirection || scalar.hasNoWidth ? scalar.spelling : nil
    }
  }

  /// The text with other texts in the place of some characters of Unicode; `nil` lets one stay.
  ///
  /// It takes as long as the text is, which may be one of many megabytes: a view of characters
  /// would be copied each time that a text is appended to it.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) {
        bytes += replacement.utf8
      } else {
        bytes += UTF8.encode(scalar)!
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// True when it is a control character, or ends a line where a program looks for that.
  package var isCommand: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }

  /// True when it embeds, overrides or isolates the direction of what follows, so that a text reads
  /// as another.
  package var turnsDirection: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }

  /// True when it takes no space and changes no other character, so that a reader does not see it.
  package var hasNoWidth: Bool {
    switch value {
    // The soft hyphen, the zero-width space, the word joiner and invisible operators, and the byte order mark.
    case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF: true
    default: false
    }
  }
}

extension String {
  /// The text with control characters spelled as `\u{1B}`, but for some that are data where it
  /// goes.
  package func spellingControlCharacters(but exceptions: Set<Unicode.Scalar>) -> String {
    guard needsSpelling else { return self }
    return spelled { exceptions.contains($0) || $0.turnsDirection || $0.hasNoWidth ? $0 : nil }
  }
}

extension Unicode.Scalar {
  fileprivate var spelling: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
