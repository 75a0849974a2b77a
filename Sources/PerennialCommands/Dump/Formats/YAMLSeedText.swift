import Foundation
import Seeding
import Yams

/// A seed in YAML: mappings in blocks, lists of plain values on one line.
struct YAMLSeedText: SeedText {
  /// Yams drops a byte order mark at the beginning of a text.
  func refusal(of value: ResultValue, in kind: DumpedSeed.FieldKind) -> String? {
    value.hasMark ? "texts in YAML are read without a byte order mark at their beginning" : nil
  }

  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    var root: [(Node, Node)] = try seed.header.map { (Self.text($0.key), try Self.node($0.value)) }
    for (name, records) in seed.entities {
      let nodes = try records.map { try Self.node(.fields($0.fields)) }
      root.append((Self.text(name), Node(nodes, Tag(.seq), .block)))
    }
    guard !root.isEmpty else { return Data("{}\n".utf8) }
    let text = try Yams.serialize(node: Self.mapping(root), width: -1, allowUnicode: true)
    return Data(text.utf8)
  }

  func neededLimit(of seed: DumpedSeed, data: Data) -> Int? { seed.neededDocumentLimit(data) }

  private static func node(_ value: ResultValue) throws -> Node {
    switch value {
    case .none: return Node("null", Tag(.null), .plain)
    case .bool, .integer, .real, .decimal:
      // Infinity and NaN are written as texts.
      let words = try SeedJSON.text(value)
      return words.hasPrefix("\"") ? text(value.plainText) : Node(words, Tag(.implicit), .plain)
    case .text, .date, .data: return text(value.plainText)
    case .list(let values):
      let isFlat = values.allSatisfy { if case .fields = $0 { false } else { !$0.isNested } }
      return Node(try values.map(node), Tag(.seq), isFlat ? .flow : .block)
    case .fields(let fields):
      let pairs = try fields.sorted { $0.key < $1.key }.map { (text($0.key), try node($0.value)) }
      return mapping(pairs)
    }
  }

  private static func mapping(_ pairs: [(Node, Node)]) -> Node {
    Node(pairs, Tag(.map), pairs.isEmpty ? .flow : .block)
  }

  /// A text that every reader takes for the same text. It has no quotes if it begins with a letter and contains nothing with a
  /// meaning in YAML. It is a block if all of its lines are unambiguous. Otherwise it has double quotes.
  private static func text(_ text: String) -> Node {
    if isWord(text) { return Node(text, Tag(.str), .plain) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1, lines.allSatisfy(isLine), lines.first?.isEmpty == false, text.utf8.count < 100_000 {
      return Node(text, Tag(.str), .literal)
    }
    return Node(text, Tag(.str), .doubleQuoted)
  }

  /// Words that some version of YAML reads as null, a Boolean or a number.
  private static let reserved: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan",
  ]

  private static func isWord(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic, last != " ", text.utf8.count <= 200,
      !reserved.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.value < 0x80
        ? scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || " _-./()+,;!?'".unicodeScalars.contains(scalar)
        : scalar.value < 0x10000 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
  }

  /// Returns true when readers take a line of a block for nothing but its text.
  private static func isLine(_ line: Substring) -> Bool {
    guard line.unicodeScalars.first != " ", line.unicodeScalars.last != " " else { return false }
    return line.unicodeScalars.allSatisfy { scalar in
      scalar.value < 0x80
        ? scalar.value >= 0x20 && scalar.value < 0x7F
        : scalar.value < 0xD800 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
  }
}

extension ResultValue {
  fileprivate var hasMark: Bool {
    switch self {
    case .text(let text): text.unicodeScalars.first == "\u{FEFF}"
    case .list(let values): values.contains(where: \.hasMark)
    case .fields(let fields):
      fields.contains { $0.key.unicodeScalars.first == "\u{FEFF}" || $0.value.hasMark }
    default: false
    }
  }

  fileprivate var isNested: Bool {
    switch self {
    case .list, .fields: true
    default: false
    }
  }
}

extension DumpedSeed {
  /// The limit, in bytes, that must be set for this seed to be read, because YAML is read as a whole; nil
  /// where the usual limit suffices.
  func neededDocumentLimit(_ data: Data) -> Int? {
    let limits = SeedLimits()
    let count = entities.flatMap(\.records).reduce(entities.count + 1) { $0 + ResultValue.fields($1.fields).valueCount }
    // The limit for YAML includes keys in the number of values.
    let needed = max(data.count, 64 * 2 * count)
    return needed > limits.largestDocument ? needed : nil
  }
}
