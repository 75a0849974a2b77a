/// A text with parts from data, made safe for a terminal and for a log.
///
/// These characters are spelled, for example as `\u{1B}`:
/// - control characters (C0, DELETE and C1), which terminals interpret as commands,
/// - characters that change the direction of the following text,
/// - characters without a width, because two texts that differ only in them look the same.
///
/// Joiners stay, because Persian words and emoji contain them. Directional marks that affect only adjacent
/// characters stay, because Arabic and Hebrew texts contain them.
///
/// Everything that the program shows to people passes through this type. Formats for machines have rules of their own.
package struct VisibleText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Makes one line: line breaks and tabs become single spaces.
  ///
  /// - Parameter most: the greatest number of Unicode scalars. A longer text is cut and ends in three dots.
  package init(line text: String, atMost most: Int = .max) {
    let text = text.cut(to: most)
    guard text.needsSpelling else {
      description = text
      return
    }
    let words = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    description = words.spelled { $0 == "\t" ? " " : nil }
  }

  /// Makes one line on which line breaks and tabs are spelled too, so that the text loses nothing.
  ///
  /// - Parameter most: the greatest number of Unicode scalars before any are spelled. A longer text is cut and ends
  ///   in three dots.
  package init(spelling text: String, atMost most: Int = .max) {
    let text = text.cut(to: most)
    description = text.needsSpelling ? text.spelled { _ in nil } : text
  }

  /// Makes a text of several lines. Line breaks and tabs stay as they are.
  package init(lines text: String) {
    description = text.needsSpelling ? text.spelled { $0 == "\n" || $0 == "\t" ? $0 : nil } : text
  }
}

extension String {
  /// The text on one line, for errors: values and underlying messages may contain line breaks.
  package var onOneLine: String { VisibleText(line: self).description }

  /// The text cut to 60 Unicode scalars, so that it fits into an error's single line. The limit does not count
  /// `Character` values, because one of them may consist of very many scalars.
  package var abbreviated: String { cut(to: 60) }

  package func cut(to most: Int) -> String {
    // Every Unicode scalar has at least one byte.
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

  /// Returns the text with some Unicode scalars replaced. A scalar stays where the closure returns `nil`.
  ///
  /// The time is proportional to the length of the text, which may be many megabytes. The function appends bytes,
  /// because a `String.UnicodeScalarView` would be copied each time that a text is appended to it.
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
  /// True for a control character, and for a character that some programs treat as the end of a line.
  package var isCommand: Bool { value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029 }

  /// True for a character that embeds, overrides or isolates the direction of the following text, which can make it
  /// read differently.
  package var turnsDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

  /// True for a character that takes no space and changes no other character, so that a reader does not see it.
  package var hasNoWidth: Bool {
    switch value {
    // The soft hyphen, the zero-width space, the word joiner and invisible operators, and the byte order mark.
    case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF: true
    default: false
    }
  }
}

extension String {
  /// Returns the text with control characters spelled as `\u{1B}`, except for those that are data in the target format.
  ///
  /// Characters that change the direction of a text and characters without a width stay.
  package func spellingControlCharacters(but exceptions: Set<Unicode.Scalar>) -> String {
    guard needsSpelling else { return self }
    return spelled { exceptions.contains($0) || $0.turnsDirection || $0.hasNoWidth ? $0 : nil }
  }
}

extension Unicode.Scalar {
  fileprivate var spelling: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
