import Foundation

/// Texts between double quotes, with their escapes.
extension JSONReader {
  mutating func string() throws -> String {
    let opening = offset
    offset += 1
    let start = offset
    while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        guard let text = text(start..<offset) else {
          offset = opening
          throw broken("a string is not valid UTF-8")
        }
        offset += 1
        return text
      case UInt8(ascii: "\\"): return try stringWithEscapes(opening: opening, start: start)
      case 0..<0x20: throw broken("a string holds a control character; it has to be written as \\n, \\t or \\u00XX")
      default: offset += 1
      }
    }
    offset = opening
    cameToEnd = true
    throw broken("a string has no closing quote")
  }

  /// Nil where the bytes are not valid UTF-8. Most texts are ASCII, which is decoded without validation, to be faster.
  private func text(_ range: Range<Int>) -> String? {
    bytes.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[range])
      return bytes.allSatisfy { $0 < 0x80 }
        ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }
  }

  /// Called by `string` at the first backslash.
  private mutating func stringWithEscapes(opening: Int, start: Int) throws -> String {
    var text = Array(bytes[start..<offset])
    while offset < end {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          offset = opening
          throw broken("a string is not valid UTF-8")
        }
        offset += 1
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw broken("a string holds a control character; it has to be written as \\n, \\t or \\u00XX")
      default:
        text.append(byte)
        offset += 1
      }
    }
    offset = opening
    cameToEnd = true
    throw broken("a string has no closing quote")
  }

  private mutating func escape() throws -> String {
    let start = offset
    offset += 2
    guard offset <= end else {
      offset = start
      cameToEnd = true
      throw broken("a string has no closing quote")
    }
    switch bytes[offset - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(from: start)
    default:
      offset = start
      throw broken("a backslash is followed by a character that JSON does not know")
    }
  }

  /// Called by `escape` after `\u`. A character outside the basic plane is written as a pair of two such escapes.
  private mutating func unicodeEscape(from start: Int) throws -> String {
    var units = [try hexadecimalUnit(from: start)]
    if UTF16.isLeadSurrogate(units[0]), consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
      units.append(try hexadecimalUnit(from: start))
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      offset = start
      throw broken("an escape \\u is half of a surrogate pair")
    }
    return text
  }

  private mutating func hexadecimalUnit(from start: Int) throws -> UInt16 {
    let unitEnd = offset + 4
    if unitEnd > end { cameToEnd = true }
    guard
      unitEnd <= end,
      bytes[offset..<unitEnd].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: bytes[offset..<unitEnd], as: UTF8.self), radix: 16)
    else {
      offset = start
      throw broken("an escape \\u needs four hexadecimal digits")
    }
    offset = unitEnd
    return unit
  }
}
