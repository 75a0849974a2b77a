import Foundation
import Texts

/// Reads JSON values (RFC 8259) one at a time and knows its position.
///
/// On Linux, Foundation's decoders do not report positions, do not keep the order of keys or
/// repeated keys, and need the whole file at once. An error in a seed has to name its line.
struct JSONReader {
  /// Deeper nesting is refused, because a value is read by recursion.
  private static let deepest = 200

  let file: String
  private(set) var bytes: [UInt8]
  /// The beginning of the text, the cursor, and the end of the text.
  private var start: Int
  var offset: Int
  private(set) var end: Int

  /// The line in which the text begins, and the number of its characters before the text.
  private var firstLine: Int
  private var charactersBefore = 0
  private var knownLine: Int
  private var knownOffset: Int

  /// The most values that a value may have within it, and how many that is read has so far.
  private let mostValues: Int
  private var valueCount = 0

  /// True if the reader needed bytes after the loaded ones, so that the value may continue there.
  var cameToEnd = false

  /// - Parameter line: The line of the file in which the text begins.
  init(_ data: Data, file: String, line: Int = 1) {
    let bytes = [UInt8](data)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.init(bytes: bytes, range: start..<bytes.count, file: file, line: line)
  }

  /// Reads a part of the bytes.
  init(
    bytes: [UInt8],
    range: Range<Int>,
    file: String,
    line: Int = 1,
    limits: SeedLimits = SeedLimits()
  ) {
    self.file = file
    mostValues = limits.mostValuesOfRecord
    self.bytes = bytes
    start = range.lowerBound
    offset = range.lowerBound
    end = range.upperBound
    firstLine = line
    knownLine = line
    knownOffset = range.lowerBound
  }

  /// Drops the bytes that were read, and continues with the rest and the bytes after it.
  mutating func refill(with bytes: [UInt8]) {
    knownLine = line()
    firstLine = knownLine
    charactersBefore = charactersInLine(before: offset)
    self.bytes = bytes
    start = 0
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

  /// - Parameter place: The words of the error.
  mutating func expect(_ character: Unicode.Scalar, place: @autoclosure () -> String) throws {
    guard skip(UInt8(ascii: character)) else { throw unexpected("\"\(character)\" is expected \(place())") }
  }

  mutating func value(depth: Int = 0) throws -> SeedValue {
    guard depth < Self.deepest else {
      throw failure(
        .tooLarge,
        problem: "values are nested more than \(Self.deepest) deep",
        remedy: "nest them less deep"
      )
    }
    valueCount = depth == 0 ? 0 : valueCount + 1
    guard valueCount <= mostValues else { throw manyValues }
    switch peek() {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", value: .bool(true))
    case UInt8(ascii: "f"): return try literal("false", value: .bool(false))
    case UInt8(ascii: "n"): return try literal("null", value: .null)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    default: throw unexpected("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws -> [SeedField] {
    try expect("{", place: "at the start of an object")
    var fields: [SeedField] = []
    var keys = DistinctKeys()
    if skip(UInt8(ascii: "}")) { return fields }
    repeat {
      _ = peek()
      let start = offset
      let key = try key()
      guard keys.insert(key, among: fields) else {
        offset = start
        throw broken("the key \"\(key.abbreviated)\" stands twice in one object")
      }
      fields.append(SeedField(key: key, value: try value(depth: depth + 1)))
    } while skip(UInt8(ascii: ","))
    try expect("}", place: "or a comma after a value in an object")
    return fields
  }

  private mutating func array(depth: Int) throws -> [SeedValue] {
    try expect("[", place: "at the start of a list")
    var values: [SeedValue] = []
    if skip(UInt8(ascii: "]")) { return values }
    repeat {
      values.append(try value(depth: depth + 1))
    } while skip(UInt8(ascii: ","))
    try expect("]", place: "or a comma after a value in a list")
    return values
  }

  /// A key and the colon after it.
  mutating func key() throws -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes is expected") }
    let key = try string()
    try expect(":", place: "after the key \"\(key.abbreviated)\"")
    return key
  }

  private mutating func literal(_ word: StaticString, value: SeedValue) throws -> SeedValue {
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
    _ = consume(UInt8(ascii: "-"))
    if consume(UInt8(ascii: "0")) {
      if isDigit { throw broken("a number does not start with a zero") }
    } else {
      try digits()
    }
    if consume(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      isInteger = false
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      try digits()
    }
    guard offset - start <= JSONNumber.longest else {
      offset = start
      throw failure(
        .tooLarge,
        problem: "a number has more than \(JSONNumber.longest) characters",
        remedy: "write it with fewer digits"
      )
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    // The integer would lose the sign of a zero, which numbers with a fraction have.
    if isInteger, let integer = Int64(text), text != "-0" { return .integer(integer) }
    return .number(text)
  }

  private mutating func digits() throws {
    guard isDigit else { throw unexpected("a digit is expected") }
    while isDigit { offset += 1 }
  }

  private var isDigit: Bool { offset < end && Self.isDigit(bytes[offset]) }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  /// Like `skip`, but a number has no white space inside.
  mutating func consume(_ byte: UInt8) -> Bool {
    guard offset < end, bytes[offset] == byte else {
      if offset == end { cameToEnd = true }
      return false
    }
    offset += 1
    return true
  }
}

extension JSONReader {
  /// The line at the cursor. Lines are counted on from the last call, so that asking once a record
  /// costs one pass over the file.
  mutating func line() -> Int {
    for byte in bytes[knownOffset..<offset] where byte == 0x0A { knownLine += 1 }
    knownOffset = offset
    return knownLine
  }

  /// The error that names what is at the cursor and what was expected.
  mutating func unexpected(_ expectation: String) -> SeedError {
    guard peek() != nil else { return broken("the text ends where \(expectation)") }
    let found = String(decoding: bytes[offset..<min(offset + 4, end)], as: UTF8.self).prefix(1)
    return broken("\(expectation), but \"\(found)\" is there")
  }

  func broken(_ problem: String) -> SeedError {
    failure(.brokenText, problem: "the JSON is broken: \(problem)", remedy: "correct the file")
  }

  /// An error at the cursor.
  private func failure(_ code: SeedError.Code, problem: String, remedy: String) -> SeedError {
    var position = SeedPosition(file: file)
    position.line = firstLine + bytes[start..<offset].count { $0 == 0x0A }
    position.column = 1 + charactersInLine(before: offset)
    return SeedError(code: code, at: position, problem: problem, remedy: remedy)
  }

  private var manyValues: SeedError {
    var position = broken("").position
    position?.column = nil
    return SeedError(
      code: .tooLarge,
      at: position,
      problem: "a record has more than the \(mostValues) values that are allowed",
      remedy: "split it, or allow larger records"
    )
  }

  private func charactersInLine(before offset: Int) -> Int {
    let lineBreak = bytes[start..<offset].lastIndex(of: 0x0A)
    let text = String(decoding: bytes[(lineBreak.map { $0 + 1 } ?? start)..<offset], as: UTF8.self)
    return text.count + (lineBreak == nil ? charactersBefore : 0)
  }
}

/// The keys of an object, in which a key may not occur twice: a list of few keys, and a set of many.
private struct DistinctKeys {
  private static let few = 16
  private var set: Set<String> = []

  /// False for a key that is there.
  mutating func insert(_ key: String, among fields: [SeedField]) -> Bool {
    if fields.count < Self.few { return !fields.contains { $0.key == key } }
    if set.isEmpty { set = Set(fields.map(\.key)) }
    return set.insert(key).inserted
  }
}
