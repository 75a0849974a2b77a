import Foundation

/// Reads JSON values (RFC 8259) one at a time and knows where it stands.
///
/// Foundation's decoders say nothing about positions on Linux, keep neither the order of keys nor
/// repeated ones, and want the whole file at once; an error in a seed has to name its line.
struct JSONReader {
  /// Deeper nesting is refused, because a value is read by recursion.
  private static let deepest = 200

  let file: String
  private var bytes: [UInt8]
  private(set) var offset: Int
  private var end: Int

  /// The line in which the bytes begin, and how many characters of it are before them.
  private var firstLine: Int
  private var charactersBefore = 0
  private var knownLine: Int
  private var knownOffset: Int

  /// Whether more was looked for at the end of the bytes: what was read there may go on behind them.
  private(set) var cameToEnd = false

  /// - Parameter line: The line of the file in which the text begins.
  init(_ data: Data, file: String, line: Int = 1) {
    let bytes = [UInt8](data)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.init(bytes, start..<bytes.count, file: file, line: line)
  }

  /// Reads a part of the bytes.
  init(_ bytes: [UInt8], _ range: Range<Int>, file: String, line: Int = 1) {
    self.file = file
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    firstLine = line
    knownLine = line
    knownOffset = range.lowerBound
  }

  /// Lets go of what was read, and goes on with the rest and what follows it.
  mutating func goOn(with bytes: [UInt8]) {
    knownLine = line()
    firstLine = knownLine
    charactersBefore = charactersInLine(before: offset)
    self.bytes = bytes
    offset = 0
    knownOffset = 0
    end = bytes.count
    cameToEnd = false
  }

  /// The byte at the cursor once white space is passed, nil at the end.
  mutating func peek() -> UInt8? {
    while offset < end {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return bytes[offset]
      }
    }
    cameToEnd = true
    return nil
  }

  /// Passes the given byte if it is next.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar, _ place: String) throws {
    guard skip(UInt8(ascii: character)) else {
      throw unexpected("\"\(character)\" is expected \(place)")
    }
  }

  mutating func value(depth: Int = 0) throws -> SeedValue {
    guard depth < Self.deepest else { throw broken("values are nested more than \(Self.deepest) deep") }
    switch peek() {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    default: throw unexpected("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws -> [SeedField] {
    try expect("{", "at the start of an object")
    var fields: [SeedField] = []
    if skip(UInt8(ascii: "}")) { return fields }
    repeat {
      _ = peek()
      let start = offset
      let key = try key()
      guard !fields.contains(where: { $0.key == key }) else {
        offset = start
        throw broken("the key \"\(key.abbreviated)\" stands twice in one object")
      }
      fields.append(SeedField(key: key, value: try value(depth: depth + 1)))
    } while skip(UInt8(ascii: ","))
    try expect("}", "or a comma after a value in an object")
    return fields
  }

  private mutating func array(depth: Int) throws -> [SeedValue] {
    try expect("[", "at the start of a list")
    var values: [SeedValue] = []
    if skip(UInt8(ascii: "]")) { return values }
    repeat {
      values.append(try value(depth: depth + 1))
    } while skip(UInt8(ascii: ","))
    try expect("]", "or a comma after a value in a list")
    return values
  }

  /// A key and the colon after it.
  mutating func key() throws -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes is expected") }
    let key = try string()
    try expect(":", "after the key \"\(key.abbreviated)\"")
    return key
  }

  private mutating func literal(_ word: StaticString, _ value: SeedValue) throws -> SeedValue {
    let wordEnd = offset + word.utf8CodeUnitCount
    if wordEnd > end { cameToEnd = true }
    let matches = word.withUTF8Buffer { wordEnd <= end && bytes[offset..<wordEnd].elementsEqual($0) }
    guard matches else { throw unexpected("true, false or null is expected") }
    offset = wordEnd
    return value
  }

  private mutating func number() throws -> SeedValue {
    let start = offset
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if isDigit { throw broken("a number does not start with a zero") }
    } else {
      try digits()
    }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    return .number(text)
  }

  private mutating func digits() throws {
    guard isDigit else { throw unexpected("a digit is expected") }
    while isDigit { offset += 1 }
  }

  private var isDigit: Bool {
    offset < end && Self.isDigit(bytes[offset])
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Like `skip`, but a number has no white space inside.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard offset < end, bytes[offset] == byte else {
      if offset == end { cameToEnd = true }
      return false
    }
    offset += 1
    return true
  }

  private mutating func string() throws -> String {
    let opening = offset
    offset += 1
    let start = offset
    while offset < end {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        guard let text = String(validating: bytes[start..<offset], as: UTF8.self) else {
          offset = opening
          throw broken("a string is not valid UTF-8")
        }
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        return try stringWithEscapes(opening: opening, start: start)
      case 0..<0x20:
        throw broken("a string holds a control character; it has to be written as \\n, \\t or \\u00XX")
      default:
        offset += 1
      }
    }
    offset = opening
    cameToEnd = true
    throw broken("a string has no closing quote")
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
      case UInt8(ascii: "\\"):
        text.append(contentsOf: try escape().utf8)
      case 0..<0x20:
        throw broken("a string holds a control character; it has to be written as \\n, \\t or \\u00XX")
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

  /// Called by `escape` behind `\u`; a character outside the basic plane is a pair of two such escapes.
  private mutating func unicodeEscape(from start: Int) throws -> String {
    var units = [try hexadecimalUnit(from: start)]
    if UTF16.isLeadSurrogate(units[0]), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
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

extension JSONReader {
  /// The line at the cursor. Lines are counted on from the last call, so that asking once a record costs
  /// one pass over the file.
  mutating func line() -> Int {
    for byte in bytes[knownOffset..<offset] where byte == 0x0A { knownLine += 1 }
    knownOffset = offset
    return knownLine
  }

  /// Says what is at the cursor in place of what should be.
  mutating func unexpected(_ expectation: String) -> SeedError {
    guard peek() != nil else { return broken("the text ends where \(expectation)") }
    let found = String(decoding: bytes[offset..<min(offset + 4, end)], as: UTF8.self).prefix(1)
    return broken("\(expectation), but \"\(found)\" is there")
  }

  func broken(_ problem: String) -> SeedError {
    var position = SeedPosition(file: file)
    position.line = firstLine + bytes[..<offset].count { $0 == 0x0A }
    position.column = 1 + charactersInLine(before: offset)
    return SeedError(.brokenText, at: position, "the JSON is broken: \(problem)", remedy: "correct the file")
  }

  private func charactersInLine(before offset: Int) -> Int {
    let lineBreak = bytes[..<offset].lastIndex(of: 0x0A)
    let text = String(decoding: bytes[(lineBreak.map { $0 + 1 } ?? 0)..<offset], as: UTF8.self)
    return text.count + (lineBreak == nil ? charactersBefore : 0)
  }
}
