import Foundation
import Predicates
import Seeding
import Texts

/// Converts a parser error to a problem with a range that can be underlined.
struct SyntaxProblem {
  let problem: PredicateProblem

  init(_ error: PredicateFormatError, in text: String) {
    problem = PredicateProblem(
      range: TextPositions(text).utf16(Self.range(of: error, in: text)),
      message: error.message,
      remedy: Self.remedy(error, in: text),
      isOfSyntax: true
    )
  }

  /// The token at the position of the error, or the character if there is no token.
  private static func range(of error: PredicateFormatError, in text: String) -> Range<Int> {
    let start = error.offset
    var lexer = FormatLexer(text)
    while let token = try? lexer.next(), token.kind != .end, token.start <= start {
      if token.start == start { return start..<token.end }
    }
    let index = text.utf8.index(text.startIndex, offsetBy: start)
    guard let character = text[index...].unicodeScalars.first else { return start..<start }
    return start..<start + UTF8.width(character)
  }

  private static func remedy(_ error: PredicateFormatError, in text: String) -> String {
    if error.message.contains("arguments, too few") {
      return "write the value itself: a text in quotes, a number, or a date in quotes such as \"2024-10-01\""
    }
    if let quote = ["“", "”", "‘", "’", "„"].first(where: { error.message.contains("\"\($0)\"") }) {
      return "texts stand in straight quotes, not in \(quote)"
    }
    let words = words(of: text, from: error.offset)
    if let remedy = remedyOfNullTest(words) ?? remedyOfDate(at: error.offset, in: text) { return remedy }
    guard !error.expected.isEmpty else { return "remove it, or put it in quotes" }
    let operation = words.first.flatMap { Suggestion.nearest(to: $0, among: operators) }
    return "there should be \(error.expected)" + (operation.map { ", such as \($0)" } ?? "")
  }

  private static let operators = ["BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"]

  /// Up to three words from a position on. It stops at the first token that is not a word.
  private static func words(of text: String, from start: Int) -> [String] {
    var lexer = FormatLexer(text)
    var words: [String] = []
    while words.count < 3, let token = try? lexer.next(), token.kind != .end {
      if token.start < start { continue }
      guard let word = PredicateScanner.name(token.kind) else { break }
      words.append(word)
    }
    return words
  }

  /// The remedy for `IS NULL` and `IS NOT NULL`, which belong to SQL.
  private static func remedyOfNullTest(_ words: [String]) -> String? {
    let words = words.map { $0.uppercased() }
    guard words.first == "IS" else { return nil }
    switch words.dropFirst().first {
    case "NOT": return "write != nil in place of IS NOT NULL"
    case "NULL", "NIL": return "write == nil in place of IS NULL"
    default: return "write == in place of IS"
    }
  }

  /// The remedy for a date and a time without quotes. The parser stops in the middle of them.
  private static func remedyOfDate(at offset: Int, in text: String) -> String? {
    let bytes = Array(text.utf8)
    let breaks = Set(" \t\n(){},=<>!".utf8)
    let start = bytes[..<min(offset, bytes.count)].lastIndex(where: breaks.contains).map { $0 + 1 } ?? 0
    let written = String(decoding: bytes[start...].prefix { !breaks.contains($0) }, as: UTF8.self)
    guard written.utf8.count >= 10, ISO8601Date.parse(String(written.prefix(10))) != nil else { return nil }
    return "put the date in quotes: \(PredicateText.text(written))"
  }
}
