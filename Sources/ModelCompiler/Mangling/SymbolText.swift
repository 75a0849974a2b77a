/// The text of a symbol under construction, as the Swift compiler's `docs/ABI/Mangling.rst` describes it: operators,
/// identifiers that may reuse earlier words, and references to earlier parts of the symbol.
struct SymbolText {
  private var bytes: [UInt8]
  private var substitutions: [Substitution: Int] = [:]
  private var words: [[UInt8]] = []
  private var lastReference: Reference?

  /// A part of the symbol to which later parts can refer.
  enum Substitution: Hashable {
    case identifier(String)
    case nominal(NominalType)
    case type(SwiftType)
  }

  /// The reference at the end of the text, with which the next one may be combined.
  private struct Reference {
    var range: Range<Int>
    var letter: UInt8
    var count: Int
    var isStandard: Bool
  }

  /// The largest number of words of a symbol to which later identifiers can refer.
  private static let wordLimit = 26
  /// The largest repeat count of a reference.
  private static let repeatLimit = 2048

  init(prefix: String) { bytes = Array(prefix.utf8) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ operators: String) { bytes += operators.utf8 }

  // MARK: - References

  mutating func add(_ substitution: Substitution) { substitutions[substitution] = substitutions.count }

  /// Appends a reference to an earlier part; false if the part did not occur before.
  mutating func appendReference(to substitution: Substitution) -> Bool {
    guard let index = substitutions[substitution] else { return false }
    if index >= 26 {
      append("A" + (index == 26 ? "_" : "\(index - 27)_"))
    } else {
      appendReference("A", letter: UInt8(ascii: "A") + UInt8(index), isStandard: false)
    }
    return true
  }

  /// Appends a type of the standard library that has its own letter.
  mutating func appendStandardType(_ letter: UInt8) { appendReference("S", letter: letter, isStandard: true) }

  private mutating func appendReference(_ operatorName: String, letter: UInt8, isStandard: Bool) {
    guard let last = lastReference, last.range.upperBound == bytes.count, last.isStandard == isStandard,
      last.count < Self.repeatLimit, !isStandard || last.letter == letter
    else {
      append(operatorName)
      return appendLetter(letter, isStandard: isStandard)
    }
    if last.letter == letter {
      let start = last.range.lowerBound
      bytes.replaceSubrange(start..., with: Array("\(last.count + 1)".utf8) + [letter])
      lastReference?.range = start..<bytes.count
      lastReference?.count += 1
    } else {
      bytes[bytes.count - 1] |= 0x20
      appendLetter(letter, isStandard: isStandard)
    }
  }

  private mutating func appendLetter(_ letter: UInt8, isStandard: Bool) {
    let start = bytes.count
    bytes.append(letter)
    lastReference = Reference(
      range: start..<bytes.count,
      letter: letter,
      count: 1,
      isStandard: isStandard
    )
  }

  // MARK: - Identifiers

  mutating func appendIdentifier(_ name: String) {
    if appendReference(to: .identifier(name)) { return }
    add(.identifier(name))
    let bytes = Array(name.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      appendWords(of: bytes)
    } else {
      let encoded = Punycode.encode(name.unicodeScalars.map(\.value))
      let needsSeparator = encoded.first.map { $0 == "_" || $0.isNumber } ?? false
      append("00\(encoded.utf8.count)\(needsSeparator ? "_" : "")\(encoded)")
    }
  }

  /// A part of an identifier that repeats an earlier word.
  private struct WordReference {
    var range: Range<Int>
    var word: Int
  }

  private mutating func appendWords(of name: [UInt8]) {
    let references = substituteWords(of: name)
    guard let last = references.last else { return appendLiteral(name[...]) }
    append("0")
    var position = 0
    for (index, reference) in references.enumerated() {
      appendLiteral(name[position..<reference.range.lowerBound])
      let base = UInt8(ascii: index == references.count - 1 ? "A" : "a")
      bytes.append(base + UInt8(reference.word))
      position = reference.range.upperBound
    }
    if last.range.upperBound == name.count { append("0") } else { appendLiteral(name[position...]) }
  }

  private mutating func appendLiteral(_ part: ArraySlice<UInt8>) {
    if part.isEmpty { return }
    append("\(part.count)")
    bytes += part
  }

  /// Finds the known words of an identifier, and records its new ones.
  private mutating func substituteWords(of name: [UInt8]) -> [WordReference] {
    var references: [WordReference] = []
    var start: Int?
    for position in 0...name.count {
      let byte = position < name.count ? name[position] : 0
      if let wordStart = start, Self.endsWord(byte, after: name[position - 1]) {
        let word = Array(name[wordStart..<position])
        if word.count >= 2 {
          if let known = words.firstIndex(of: word) {
            references.append(WordReference(range: wordStart..<position, word: known))
          } else if words.count < Self.wordLimit {
            words.append(word)
          }
        }
        start = nil
      }
      if start == nil, Self.startsWord(byte) { start = position }
    }
    return references
  }

  private static func startsWord(_ byte: UInt8) -> Bool {
    byte != 0 && byte != UInt8(ascii: "_") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func endsWord(_ byte: UInt8, after previous: UInt8) -> Bool {
    byte == 0 || byte == UInt8(ascii: "_") || (!isCapital(previous) && isCapital(byte))
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
