import Foundation

/// The shape of a text in YAML, which is determined from its bytes before it is parsed.
///
/// The parser builds a tree of the whole text, so that the size has to be bounded beforehand. It also compares the keys
/// of each mapping, which takes practically forever if a key is a list that aliases make very large.
struct YAMLShape {
  /// An upper bound of the number of values: each value begins the text or follows one of these characters.
  private(set) var mostValues = 1
  private(set) var aliases = 0
  /// True when a key may be a list, a mapping or an alias.
  private(set) var mayHaveLargeKeys = false

  /// Fewer aliases cannot make a key large: each may double one at the most, or repeat a long one so many times.
  static let harmlessAliases = 8

  init(_ data: Data) {
    data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var lastToken: UInt8 = 0
      var isBehindAlias = false
      for index in bytes.indices {
        let byte = bytes[index]
        let before = index > 0 ? bytes[index - 1] : 0x0A
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0x0A
        switch byte {
        case 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "?"),
          UInt8(ascii: "-"):
          mostValues += 1
        case UInt8(ascii: ":"):
          mostValues += 1
          let endsLargeKey = lastToken == UInt8(ascii: "]") || lastToken == UInt8(ascii: "}") || isBehindAlias
          if endsLargeKey { mayHaveLargeKeys = true }
        case UInt8(ascii: "*") where Self.canBegin(after: before) && Self.isName(next):
          aliases += 1
          isBehindAlias = true
        default: break
        }
        if byte == UInt8(ascii: "?"), Self.canBegin(after: before), next.isBlank { mayHaveLargeKeys = true }
        // A key and its colon are on one line, with only blanks between them.
        let endsLine = byte == 0x0A || byte == 0x0D
        if endsLine || Self.isName(byte) && before.isBlank { isBehindAlias = false }
        if !Self.isName(byte), byte != UInt8(ascii: "*"), !byte.isBlank { isBehindAlias = false }
        if !byte.isBlank { lastToken = byte }
      }
    }
  }

  /// Returns true if a value may follow the character.
  private static func canBegin(after byte: UInt8) -> Bool {
    byte.isBlank || [0x2C, 0x5B, 0x7B, 0x3A, 0x3F, 0x2D].contains(byte)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x5F
  }

  /// Checks that a text may be parsed.
  ///
  /// - Throws: A `SeedError` if the text has too many values, or aliases in keys that could become very large.
  func check(_ position: SeedPosition, limits: SeedLimits) throws {
    guard mostValues <= limits.mostValuesOfDocument else { throw SeedError.manyValues(in: position, limits: limits) }
    guard aliases > Self.harmlessAliases, mayHaveLargeKeys else { return }
    throw SeedError(
      code: .brokenText,
      at: position,
      problem: "a key is a list, a mapping or an alias, and there are aliases",
      remedy: "give words as keys, and write the values out"
    )
  }
}
