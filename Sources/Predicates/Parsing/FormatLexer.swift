import Foundation

/// Cuts a predicate format into tokens, one at a time.
package struct FormatLexer {
  package let format: String
  package let bytes: [UInt8]
  package internal(set) var position = 0

  package init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  /// The next token, or `.end`.
  package mutating func next() throws(PredicateFormatError) -> FormatToken {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    let start = position
    guard start < bytes.count else { return FormatToken(kind: .end, start: bytes.count, end: bytes.count) }
    let kind = try kind(startingWith: bytes[start])
    return FormatToken(kind: kind, start: start, end: position)
  }

  private mutating func kind(startingWith byte: UInt8) throws(PredicateFormatError) -> FormatToken.Kind {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: ".") where isDigit(at: position + 1): return try number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quotedText())
    case UInt8(ascii: "%"): return .argument(try specifier())
    case UInt8(ascii: "$"):
      position += 1
      guard let name = word() else {
        throw error("The \"$\" is not followed by a name", at: position, expected: "a variable's name")
      }
      return .variable(name)
    case UInt8(ascii: "#"):
      position += 1
      guard let name = word() else {
        throw error("The \"#\" is not followed by a name", at: position, expected: "a key")
      }
      return .identifier(name)
    case UInt8(ascii: "<") where bytes[position...].starts(with: Self.printedNull):
      position += Self.printedNull.count
      return .keyword(.null, "<null>")
    default:
      if let sign = sign() { return .sign(sign) }
      let start = position
      guard let name = nameOrFunction() else {
        throw error("Unexpected character \"\(character(at: start))\"", at: start)
      }
      if let keyword = FormatKeyword.named(name) { return .keyword(keyword, name) }
      return .identifier(name)
    }
  }

  /// The text that `NSNull` prints.
  private static let printedNull = Array("<null>".utf8)

  // MARK: - Names

  /// A name, with the colons of a function's name when there are any.
  private mutating func nameOrFunction() -> String? {
    let start = position
    guard word() != nil else { return nil }
    while position < bytes.count, bytes[position] == UInt8(ascii: ":") {
      position += 1
      let colon = position
      if word() == nil { position = colon }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Letters, digits, `_` and a leading `@`; `nil` where there is none.
  private mutating func word() -> String? {
    let start = position
    if position < bytes.count, bytes[position] == UInt8(ascii: "@") { position += 1 }
    let first = position
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isNameByte(byte) {
        position += 1
      } else if byte >= 0x80, let length = nonASCIILetterLength(at: position) {
        position += length
      } else {
        break
      }
    }
    guard position > first else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The number of bytes of the letter, digit or mark that begins here; `nil` when it is something else.
  private func nonASCIILetterLength(at index: Int) -> Int? {
    var decoder = UTF8()
    var iterator = bytes[index...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .connectorPunctuation, .otherSymbol, .format, .modifierSymbol:
      return UTF8.width(scalar)
    default: return nil
    }
  }

  // MARK: - Signs

  private mutating func sign() -> FormatSign? {
    let byte = bytes[position]
    let following = position + 1 < bytes.count ? bytes[position + 1] : 0
    let pair: FormatSign? =
      switch (byte, following) {
      case (UInt8(ascii: "*"), UInt8(ascii: "*")): .power
      case (UInt8(ascii: "&"), UInt8(ascii: "&")): .and
      case (UInt8(ascii: "|"), UInt8(ascii: "|")): .or
      case (UInt8(ascii: "="), UInt8(ascii: "=")): .equal
      case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")): .notEqual
      case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "="), UInt8(ascii: "<")): .lessOrEqual
      case (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: "="), UInt8(ascii: ">")): .greaterOrEqual
      case (UInt8(ascii: "<"), UInt8(ascii: "<")): .shiftLeft
      case (UInt8(ascii: ">"), UInt8(ascii: ">")): .shiftRight
      default: nil
      }
    if let pair {
      position += 2
      return pair
    }
    if byte == UInt8(ascii: "=") {
      position += 1
      return .equal
    }
    guard byte < 0x80, let sign = FormatSign(rawValue: String(UnicodeScalar(byte))) else { return nil }
    position += 1
    return sign
  }

  // MARK: - Places and bytes

  /// An error at a place in the bytes.
  func error(_ message: String, at offset: Int, expected: String = "") -> PredicateFormatError {
    PredicateFormatError(
      message: message,
      offset: min(offset, bytes.count),
      format: format,
      expected: expected
    )
  }

  func character(at offset: Int) -> String {
    let index = format.utf8.index(format.startIndex, offsetBy: offset)
    return format[index...].first.map(String.init) ?? ""
  }

  func isDigit(at index: Int) -> Bool {
    index < bytes.count && bytes[index] >= UInt8(ascii: "0") && bytes[index] <= UInt8(ascii: "9")
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
