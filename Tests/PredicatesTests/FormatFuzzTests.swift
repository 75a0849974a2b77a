import Foundation
import Predicates
import TestSupport
import Testing

@Suite("No format and no value makes the parser, the printer or the evaluator crash")
struct FormatFuzzTests {
  static let tokens = [
    "a", "b.c", "tags", "tags.name", "@count", "tags.@count", "items.@sum.price", "#in", "first", "SELF",
    "$x", "$",
    "1", "-1", "0", "1.5", "0x1F", "9223372036854775807", "1e300", "'a'", "\"b*?\"", "'['", "'\\", "'", "YES",
    "NULL",
    "==", "=", "!=", "<", "<=", ">", "=>", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
    "IN",
    "[c]", "[cd]", "[n]", "[l]", "[x]", "AND", "OR", "NOT", "&&", "||", "!", "ANY", "ALL", "NONE", "SOME",
    "TRUEPREDICATE", "FALSEPREDICATE", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "**", "&",
    "|", "^",
    "~", "<<", ">>", "UNION", "INTERSECT", "MINUS", "SUBQUERY(", "CAST(", "TERNARY(", "FUNCTION(", "sum(",
    "count:(",
    "add:to:(", "modulus:by:(", "divide:by:(", "uppercase(", "now()", "random()", "[FIRST]", "[LAST]",
    "[SIZE]", "[0]",
    "%@", "%K", "%d", "%f", "%s", "%", "%%", "\"NSDate\"", "\"uppercaseString\"", "é", "€", "\u{0}", "\\",
    "#", ":", ";",
    "0b", "0x", "ANYKEY", "distinct(", "median(", "leftshift:by:(", "raise:toPower:(", "abs(", "a[1]",
    "SUBQUERY(tags, $x, ",
  ]

  /// An object with every kind of value that a key, a comparison or a function can encounter.
  static let object: [String: any Sendable] = [
    "a": 1, "b": ["c": "text"], "tags": [["name": "b"], ["name": "é"]],
    "items": [["price": 1.5], ["price": -9.2e18]],
    "first": Date(timeIntervalSinceReferenceDate: 0),
  ]

  static let arguments: [(any Sendable)?] = [
    "a", 1, nil, 2.5, [1, 2], "b", Date(timeIntervalSinceReferenceDate: 1), 7, "c", 3,
  ]

  /// Parses a format. If it is valid, prints it, parses the result, and evaluates it.
  private func exercise(_ format: String) {
    guard let predicate = try? NSPredicate(parsing: format, arguments: Self.arguments) else { return }
    _ = try? PredicateEvaluator(predicate, variables: ["x": 1])(Self.object)
    _ = predicate.evaluate(with: Self.object)
    _ = predicate.withSubstitutionVariables(["x": "y"])
    let printed = predicate.printedFormat
    do {
      let again = try NSPredicate(parsing: printed)
      #expect(again == predicate, "\(format) printed as \(printed), which reads as \(again.printedFormat)")
      #expect(again.hash == predicate.hash, "\(format) printed as \(printed)")
    } catch {
      Issue.record("\(format) printed as \(printed), which does not read: \(error)")
    }
  }

  @Test("random sequences of tokens", arguments: [1, 2, 3, 4] as [UInt64])
  func tokenSequences(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    for _ in 0..<Soak.rounds(10_000) {
      let count = Int.random(in: 1...14, using: &generator)
      let words = (0..<count).map { _ in Self.tokens.randomElement(using: &generator) ?? "" }
      exercise(words.joined(separator: Bool.random(using: &generator) ? " " : ""))
    }
  }

  @Test("random bytes")
  func bytes() {
    var generator = SplitMix(seed: 5)
    for _ in 0..<Soak.rounds(5_000) {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      exercise(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(
    "random predicates that are well formed read back as they were printed",
    arguments: [1, 2, 3, 4] as [UInt64]
  )
  func wellFormed(seed: UInt64) {
    var generator = FormatGenerator(seed: seed)
    for _ in 0..<Soak.rounds(3_000) { exercise(generator.predicate(depth: 4)) }
  }

  @Test("formats with a piece cut out or doubled", arguments: [1, 2] as [UInt64])
  func mutations(seed: UInt64) {
    var generator = FormatGenerator(seed: seed &+ 100)
    for _ in 0..<Soak.rounds(4_000) {
      var characters = Array(generator.predicate(depth: 3))
      let start = Int.random(in: 0..<characters.count, using: &generator.random)
      let end = min(characters.count, start + Int.random(in: 1...5, using: &generator.random))
      if Bool.random(using: &generator.random) {
        characters.removeSubrange(start..<end)
      } else {
        characters.insert(contentsOf: characters[start..<end], at: start)
      }
      exercise(String(characters))
    }
  }
}

/// Generates random valid formats.
struct FormatGenerator {
  var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

  mutating func predicate(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0: return pick(["TRUEPREDICATE", "FALSEPREDICATE", "a == 1", "tags.@count > 0"])
    case 1...3: return comparison(depth: depth)
    case 4: return "\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1))"
    case 5: return "\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1))"
    case 6: return "NOT \(predicate(depth: depth - 1))"
    default: return "(\(predicate(depth: depth - 1)))"
    }
  }

  private mutating func comparison(depth: Int) -> String {
    let modifier = pick(["", "", "", "ANY ", "ALL ", "NONE ", "SOME "])
    let sign = pick([
      "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN",
    ])
    let options = pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
    return "\(modifier)\(expression(depth: depth)) \(sign)\(options) \(expression(depth: depth))"
  }

  mutating func expression(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 5), using: &random) {
    case 0: return pick(["a", "b.c", "tags.name", "SELF", "#in", "first", "items.@sum.price", "union"])
    case 1: return pick(["1", "-2", "2.5", "-0.125", "1e20", "0", "123456789012345678901234567890"])
    case 2: return pick(["'a'", "\"\\\"\\\\\"", "'é'", "''", "'a*?'", "'\\n'"])
    case 3: return pick(["YES", "NO", "NULL", "$x", "$x.name"])
    case 4: return pick(["CAST(12.5, 'NSDate')", "CAST('0.1', 'NSDecimalNumber')", "now()", "{}"])
    case 5: return "{\(expression(depth: depth - 1)), \(expression(depth: depth - 1))}"
    case 6...8:
      let sign = pick([
        "+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>", " UNION ", " MINUS ", " INTERSECT ",
      ])
      return "\(expression(depth: depth - 1)) \(sign) \(expression(depth: depth - 1))"
    case 9: return "(\(expression(depth: depth - 1)))"
    case 10: return "-\(expression(depth: depth - 1))"
    case 11: return "SUBQUERY(tags, $y, \(predicate(depth: depth - 1))).@count"
    case 12: return "TERNARY(\(predicate(depth: depth - 1)), \(expression(depth: depth - 1)), 1)"
    default:
      let name = pick(["sum", "count:", "uppercase", "abs", "floor", "distinct", "sqrt"])
      return "\(name)(\(expression(depth: depth - 1)))" + pick(["", "[0]", "[LAST]", "[SIZE]"])
    }
  }
}
