import Deflate
import Foundation

/// Mutates the bytes of a file, at random or guided by its contents.
enum FileMutation {
  static func change(_ file: URL, _ random: inout RandomNumbers) throws {
    try changed([UInt8](Data(contentsOf: file)), &random).write(to: file)
  }

  /// Mutates the contents of a compressed file, or its compressed bytes.
  static func changeCompressed(_ file: URL, _ random: inout RandomNumbers) throws {
    if random.once(in: 3) { return try change(file, &random) }
    let content = try Deflate.expanded(Data(contentsOf: file), wrapping: .gzip, atMost: 1 << 26)
    try Deflate.compressed(changed([UInt8](content), &random), wrapping: .gzip).write(to: file)
  }

  /// Makes one to four mutations, usually one.
  static func changed(_ bytes: [UInt8], _ random: inout RandomNumbers) -> Data {
    var bytes = bytes
    let isText = looksLikeText(bytes)
    for _ in 0..<[1, 1, 1, 2, 3, 4][random.below(6)] {
      if isText, !random.once(in: 4) { changeText(&bytes, &random) } else { changeBytes(&bytes, &random) }
    }
    return Data(bytes)
  }

  private static func looksLikeText(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(512).allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  // MARK: - Bytes

  private static let tellingBytes: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, 0x1B, 0x22, 0x0D]

  private static func changeBytes(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
    let place = place(in: bytes, &random)
    switch random.below(10) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = tellingBytes[random.below(tellingBytes.count)]
    case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 3: bytes[place] = bytes[place] &+ (random.once(in: 2) ? 1 : 255)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.removeSubrange(place..<end(place, bytes, &random))
    case 6: bytes.insert(contentsOf: Array(bytes[place..<end(place, bytes, &random)]), at: place)
    case 7:
      for index in place..<end(place, bytes, &random) {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
    case 8:
      // A number at the end of its four bytes: binary formats have sizes, offsets and counts there.
      let number: UInt32 = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x0100_0000][random.below(6)]
      for (index, shift) in [24, 16, 8, 0].enumerated() where place + index < bytes.count {
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(shift))
      }
    default:
      let other = self.place(in: bytes, &random)
      bytes.swapAt(place, other)
    }
  }

  /// A random position. Half of them are near the ends of the file, because the first and last bytes often describe the rest.
  private static func place(in bytes: [UInt8], _ random: inout RandomNumbers) -> Int {
    switch random.below(4) {
    case 0: random.below(min(bytes.count, 128))
    case 1: bytes.count - 1 - random.below(min(bytes.count, 128))
    default: random.below(bytes.count)
    }
  }

  private static func end(_ place: Int, _ bytes: [UInt8], _ random: inout RandomNumbers) -> Int {
    min(bytes.count, place + 1 + random.below(random.once(in: 4) ? 4096 : 16))
  }

  // MARK: - Text

  /// Words with a meaning in one of the formats, or for a terminal or browser that shows them.
  private static let words: [String] = [
    "null", "NaN", "-inf", "1e308", "1e999", "-1", "0", "9223372036854775807", "-9223372036854775808",
    "99999999999999999999999999", "0.1", "true", "\"", "'", "\\", "\\u0000", "\\ud800", "\u{1B}]0;x\u{7}",
    "\u{202E}", "\0",
    "\r", "\r\n", "\n\n", ",", ";", "\t", "{", "}", "[", "]", "[]", "{}", ": ", "- ", "&a ", "*a", "<<: *a",
    "!!binary ", "---\n",
    "<a>", "</a>", "<!--", "]]>", "&lt;", "&undefined;", "<!DOCTYPE a [<!ENTITY b \"bb\">]>", "=1+1",
    "\u{FEFF}",
    "{\"$ref\": \"x\"}", "{\"$id\": \"x\"}", "z1", "z99999999999999999999", "TRUEPREDICATE",
    "0001-01-01T00:00:00Z",
    "999999-01-01", "é", "e\u{301}",
  ]
  private static let rawWords: [[UInt8]] = [
    [0xC3, 0x28], [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0x80], [0xF8, 0x88],
  ]

  private static func changeText(_ bytes: inout [UInt8], _ random: inout RandomNumbers) {
    let tokens = tokens(bytes)
    guard let token = tokens.element(&random) else { return changeBytes(&bytes, &random) }
    switch random.below(8) {
    case 0, 1: bytes.replaceSubrange(token, with: word(&random))
    case 2: bytes.insert(contentsOf: word(&random), at: token.lowerBound)
    case 3: bytes.removeSubrange(token)
    case 4: bytes.insert(contentsOf: Array(bytes[token]), at: token.lowerBound)
    case 5:
      // Deep nesting, or a very long text.
      let opening = ["[", "{\"a\":", "<a>", "- ", "(", "\""][random.below(6)]
      let text = String(repeating: opening, count: [10, 300, 20_000][random.below(3)])
      bytes.insert(contentsOf: Array(text.utf8), at: token.lowerBound)
    case 6:
      // Replaces a token by another one of the same text, which redirects references and duplicates names.
      if let other = tokens.element(&random) { bytes.replaceSubrange(token, with: Array(bytes[other])) }
    default: bytes.removeSubrange(token.upperBound...)
    }
  }

  private static func word(_ random: inout RandomNumbers) -> [UInt8] {
    let index = random.below(words.count + rawWords.count)
    return index < words.count ? Array(words[index].utf8) : rawWords[index - words.count]
  }

  /// The ranges of words, numbers and single marks.
  private static func tokens(_ bytes: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      let isWord =
        byte >= 0x80 || byte == 0x5F || byte == 0x2E || (0x30...0x39).contains(byte)
        || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
      if isWord {
        if start == nil { start = index }
        continue
      }
      if let begun = start { tokens.append(begun..<index) }
      start = nil
      if byte > 0x20 { tokens.append(index..<index + 1) }
    }
    if let begun = start { tokens.append(begun..<bytes.count) }
    return tokens
  }
}
