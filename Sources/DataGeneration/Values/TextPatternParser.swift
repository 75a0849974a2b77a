/// Parses a regular expression as a pattern for texts that match it as a whole.
struct TextPatternParser {
  /// The error for a part of an expression that is not a known pattern.
  struct Unknown: Error, Hashable {
    let part: String
  }

  /// The most repetitions, beyond the least number, of a part that may be repeated without bound.
  private static let unboundedRepetitions = 8
  private static let largestRepetition = 4096

  private let characters: [Character]
  private var offset = 0

  private init(_ expression: String) { characters = Array(expression) }

  static func pattern(of expression: String) throws(Unknown) -> TextPattern {
    var parser = TextPatternParser(expression)
    let pattern = try parser.alternatives()
    if let rest = parser.peek { throw Unknown(part: String(rest)) }
    return pattern
  }

  private var peek: Character? { offset < characters.count ? characters[offset] : nil }

  private mutating func consume() throws(Unknown) -> Character {
    guard let character = peek else { throw Unknown(part: "the end") }
    offset += 1
    return character
  }

  private mutating func consume(_ text: String) -> Bool {
    let all = Array(text)
    guard offset + all.count <= characters.count, Array(characters[offset..<offset + all.count]) == all
    else { return false }
    offset += all.count
    return true
  }

  private mutating func alternatives() throws(Unknown) -> TextPattern {
    var parts = [try sequence()]
    while consume("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence() throws(Unknown) -> TextPattern {
    var parts: [TextPattern] = []
    while let next = peek, next != "|", next != ")" {
      if next == "^", offset == 0 {
        offset += 1
        continue
      }
      if next == "$", offset == characters.count - 1 {
        offset += 1
        continue
      }
      parts.append(try repeated(try atom()))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func repeated(_ part: TextPattern) throws(Unknown) -> TextPattern {
    let counts: ClosedRange<Int>
    if consume("?") {
      counts = 0...1
    } else if consume("*") {
      counts = 0...Self.unboundedRepetitions
    } else if consume("+") {
      counts = 1...(1 + Self.unboundedRepetitions)
    } else if consume("{") {
      counts = try bounds()
    } else {
      return part
    }
    // Greedy and lazy matching do not differ if the whole text has to match.
    if !consume("?") { _ = consume("+") }
    return .repeated(part, counts)
  }

  private mutating func bounds() throws(Unknown) -> ClosedRange<Int> {
    var text = ""
    while let next = peek, next != "}" { text.append(try consume()) }
    guard consume("}") else { throw Unknown(part: "{\(text)") }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let least = parts.first.flatMap({ Int($0) }), parts.count <= 2, least >= 0 else {
      throw Unknown(part: "{\(text)}")
    }
    let isUnbounded = parts.count == 2 && parts[1].isEmpty
    let most = parts.count == 1 ? least : isUnbounded ? least + Self.unboundedRepetitions : Int(parts[1])
    guard let most, most >= least, most <= Self.largestRepetition else { throw Unknown(part: "{\(text)}") }
    return least...most
  }

  private mutating func atom() throws(Unknown) -> TextPattern {
    let next = try consume()
    switch next {
    case "(": return try group()
    case "[": return .characters(try characterClass())
    case ".": return .characters(CharacterSets.printable)
    case "\\": return .characters(try escaped())
    case "^", "$", "*", "+", "?", "{": throw Unknown(part: String(next))
    default: return .characters([next])
    }
  }

  private mutating func group() throws(Unknown) -> TextPattern {
    if peek == "?", !consume("?:") { throw Unknown(part: "(?") }
    let inner = try alternatives()
    guard consume(")") else { throw Unknown(part: "(") }
    return inner
  }

  private mutating func escaped() throws(Unknown) -> [Character] {
    let next = try consume()
    switch next {
    case "d": return CharacterSets.digits
    case "w": return CharacterSets.word
    case "s": return [" "]
    case "D": return CharacterSets.printable.filter { !CharacterSets.digits.contains($0) }
    case "W": return CharacterSets.printable.filter { !CharacterSets.word.contains($0) }
    case "S": return CharacterSets.printable.filter { $0 != " " }
    case "t": return ["\t"]
    case "n": return ["\n"]
    case _ where next.isLetter || next.isNumber: throw Unknown(part: "\\\(next)")
    default: return [next]
    }
  }

  private mutating func characterClass() throws(Unknown) -> [Character] {
    let isNegated = consume("^")
    var members: [Character] = []
    while let next = peek, next != "]" {
      if next == "[" || consume("&&") { throw Unknown(part: "[\(next)") }
      let first = try member()
      guard first.count == 1, peek == "-", offset + 1 < characters.count, characters[offset + 1] != "]" else {
        members += first
        continue
      }
      offset += 1
      members += try range(from: first[0], to: try member())
    }
    guard consume("]") else { throw Unknown(part: "[") }
    let all = isNegated ? CharacterSets.printable.filter { !members.contains($0) } : members.uniqued()
    guard !all.isEmpty else { throw Unknown(part: "an empty class") }
    return all
  }

  private mutating func member() throws(Unknown) -> [Character] {
    let next = try consume()
    return next == "\\" ? try escaped() : [next]
  }

  private func range(from first: Character, to last: [Character]) throws(Unknown) -> [Character] {
    guard last.count == 1, let low = first.unicodeScalars.first?.value,
      let high = last[0].unicodeScalars.first?.value, low <= high, high - low < 0x1_0000
    else { throw Unknown(part: "[\(first)-") }
    return (low...high).compactMap { Unicode.Scalar($0).map(Character.init) }
  }
}

/// The characters that the abbreviations of regular expressions represent, as far as they are used to generate texts.
enum CharacterSets {
  static let digits = Array("0123456789")
  static let lowercase = Array("abcdefghijklmnopqrstuvwxyz")
  static let uppercase = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  static let word = lowercase + uppercase + digits + ["_"]
  static let printable = (0x20...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
