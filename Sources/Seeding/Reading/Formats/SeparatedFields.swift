/// Splits a row of a table into its fields.
///
/// The parser compares bytes, because a `Character` can combine a separator or a quote with the accent after it.
enum SeparatedFields {
  struct Failure: Error {
    let problem: String
  }

  /// The text between two separators.
  struct Field: Equatable {
    let text: String
    /// True if the field was in double quotes, which are removed.
    var isQuoted = false
  }

  private enum Part {
    /// Before the field, where blanks are ignored if a quote follows.
    case start
    case plain
    case quoted
    /// After a quote, which closes the field or is the first of two.
    case behindQuote
  }

  private static let quote = UInt8(ascii: "\"")

  /// The first comma, semicolon or tab that is not within quotes; a comma where there is none.
  static func separator(in row: String) -> UInt8 {
    var isQuoted = false
    for byte in row.utf8 {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) { return byte }
    }
    return UInt8(ascii: ",")
  }

  static func split(_ row: String, at separator: UInt8) throws(Failure) -> [Field] {
    var fields: [Field] = []
    var field: [UInt8] = []
    var part = Part.start
    var hadQuotes = false
    for byte in row.utf8 {
      switch part {
      case .start where byte == quote:
        field.removeAll(keepingCapacity: true)
        (part, hadQuotes) = (.quoted, true)
      case .start where byte != separator && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")):
        field.append(byte)
      case .quoted where byte == quote, .plain where byte == quote: part = .behindQuote
      case .quoted: field.append(byte)
      case .behindQuote where byte == quote:
        field.append(byte)
        part = hadQuotes ? .quoted : .plain
      case .start where byte == separator, .plain where byte == separator,
        .behindQuote where byte == separator:
        if part == .behindQuote, !hadQuotes { throw Failure(problem: "a quote stands within a field") }
        fields.append(Field(text: String(decoding: field, as: UTF8.self), isQuoted: hadQuotes))
        field.removeAll(keepingCapacity: true)
        (part, hadQuotes) = (.start, false)
      case .behindQuote:
        let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        guard hadQuotes, isBlank else { throw Failure(problem: "a closing quote is followed by other characters") }
      case .start, .plain:
        field.append(byte)
        part = .plain
      }
    }
    if part == .behindQuote, !hadQuotes { throw Failure(problem: "a quote stands within a field") }
    if part == .quoted { throw Failure(problem: "a double quote has no other that closes it") }
    fields.append(Field(text: String(decoding: field, as: UTF8.self), isQuoted: hadQuotes))
    return fields
  }
}
