import Foundation

extension FormatLexer {
  // MARK: - Numbers

  /// `12`, `1.5`, `.5`, `1e3`, `0x1F`, `0o17`, `0b101`.
  mutating func number() throws(PredicateFormatError) -> FormatToken.Kind {
    let start = position
    if let radix = radixPrefix() {
      position += 2
      return try radixNumber(radix, start: start)
    }
    while isDigit(at: position) { position += 1 }
    var isInteger = true
    if position < bytes.count, bytes[position] == UInt8(ascii: "."), isDigit(at: position + 1) {
      isInteger = false
      position += 1
      while isDigit(at: position) { position += 1 }
    }
    if let exponentEnd = exponentEnd() {
      isInteger = false
      position = exponentEnd
    }
    try requireEndOfNumber(start: start)
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isInteger else { return try floatingPoint(text, start: start) }
    if let value = Int64(text) { return .integer(value) }
    if let value = UInt64(text) { return .unsigned(value) }
    if position - start <= 38, let value = Decimal(string: text) { return .decimal(value) }
    return try floatingPoint(text, start: start)
  }

  private func radixPrefix() -> Int? {
    guard bytes[position] == UInt8(ascii: "0"), position + 1 < bytes.count else { return nil }
    return switch bytes[position + 1] {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): 16
    case UInt8(ascii: "o"), UInt8(ascii: "O"): 8
    case UInt8(ascii: "b"), UInt8(ascii: "B"): 2
    default: nil
    }
  }

  private mutating func radixNumber(_ radix: Int, start: Int) throws(PredicateFormatError) -> FormatToken.Kind {
    let digits = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[digits..<position], as: UTF8.self)
    if let value = Int64(text, radix: radix) { return .integer(value) }
    if let value = UInt64(text, radix: radix) { return .unsigned(value) }
    throw error("The number is not one of base \(radix) with at most 64 bits", at: start, expected: "a number")
  }

  /// The index after an exponent that begins here; `nil` when there is no exponent.
  private func exponentEnd() -> Int? {
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return nil }
    var index = position + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
    guard isDigit(at: index) else { return nil }
    while isDigit(at: index) { index += 1 }
    return index
  }

  private func floatingPoint(_ text: String, start: Int) throws(PredicateFormatError) -> FormatToken.Kind {
    guard let value = Double(text), value.isFinite else {
      throw error("The number \(text) is too large", at: start, expected: "a number")
    }
    return .double(value)
  }

  private func requireEndOfNumber(start: Int) throws(PredicateFormatError) {
    guard position < bytes.count, Self.isNameByte(bytes[position]) else { return }
    throw error("A number is followed by a letter", at: position, expected: "an operator")
  }

  // MARK: - Text

  /// Text in single or double quotes, its escapes resolved.
  mutating func quotedText() throws(PredicateFormatError) -> String {
    let quote = bytes[position]
    let start = position
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        try appendEscape(to: &text)
      } else {
        text.append(byte)
      }
    }
    throw error("The text that begins here has no closing quote", at: start, expected: String(UnicodeScalar(quote)))
  }

  /// `\n \r \t \b \f \xHH \uHHHH \UHHHHHHHH`; any other character after a backslash is that character.
  private mutating func appendEscape(to text: inout [UInt8]) throws(PredicateFormatError) {
    guard position < bytes.count else { throw error("Nothing follows the backslash", at: position - 1) }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "x"): try appendScalar(digits: 2, to: &text)
    case UInt8(ascii: "u"): try appendScalar(digits: 4, to: &text)
    case UInt8(ascii: "U"): try appendScalar(digits: 8, to: &text)
    default: text.append(byte)
    }
  }

  private mutating func appendScalar(digits count: Int, to text: inout [UInt8]) throws(PredicateFormatError) {
    let start = position - 2
    let expected = "\(count) hexadecimal digits that name a character"
    guard let unit = hexadecimal(count) else { throw error("The escape is incomplete", at: start, expected: expected) }
    var value = unit
    // Two \u escapes may spell a character beyond the first 65,536, as in JSON.
    if count == 4, UTF16.isLeadSurrogate(UInt16(unit)), position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      if let second = hexadecimal(4), UTF16.isTrailSurrogate(UInt16(second)) {
        value = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
      }
    }
    guard let scalar = UnicodeScalar(value) else {
      throw error("The escape names no character", at: start, expected: expected)
    }
    text.append(contentsOf: String(scalar).utf8)
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard position + count <= bytes.count else { return nil }
    let digits = bytes[position..<position + count]
    guard digits.allSatisfy(Self.isNameByte),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return nil }
    position += count
    return value
  }

  // MARK: - Arguments

  /// `%@`, `%K`, and C's specifiers with their lengths, such as `%lld`.
  mutating func specifier() throws(PredicateFormatError) -> FormatSpecifier {
    let start = position
    position += 1
    while position < bytes.count, Self.lengthModifiers.contains(bytes[position]) { position += 1 }
    guard position < bytes.count else {
      throw error("The \"%\" is not followed by a specifier", at: start, expected: Self.specifierList)
    }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "@"), UInt8(ascii: "K"), UInt8(ascii: "c"), UInt8(ascii: "C"),
      UInt8(ascii: "s"), UInt8(ascii: "S"):
      position += 1
    default: break
    }
    switch byte {
    case UInt8(ascii: "@"): return .value
    case UInt8(ascii: "K"): return .keyPath
    case UInt8(ascii: "c"), UInt8(ascii: "C"): return .character
    case UInt8(ascii: "s"), UInt8(ascii: "S"): return .text
    case _ where Self.integerSpecifiers.contains(byte):
      position += 1
      return .integer
    case _ where Self.floatSpecifiers.contains(byte):
      position += 1
      return .floatingPoint
    case UInt8(ascii: "%"): throw error("A percent sign has a meaning only in quoted text", at: start)
    default: throw error("Unknown specifier \"%\(character(at: position))\"", at: start, expected: Self.specifierList)
    }
  }

  private static let lengthModifiers = Array("hlqLtzj0123456789.".utf8)
  private static let integerSpecifiers = Array("diuDUxXoOp".utf8)
  private static let floatSpecifiers = Array("fFeEgGaA".utf8)
  private static let specifierList = "one of %@ %K %d %i %u %ld %lu %lld %llu %x %o %f %lf %g %e %s %c"
}
