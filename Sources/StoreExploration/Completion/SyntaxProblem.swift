import Foundation
import Predicates

/// The error of the parser as a problem with a place that can be underlined.
struct SyntaxProblem {
  let problem: PredicateProblem

  init(_ error: PredicateFormatError, in text: String) {
    problem = PredicateProblem(
      range: TextPositions(text).utf16(Self.range(of: error, in: text)),
      message: error.message,
      remedy: Self.remedy(error),
      isOfSyntax: true
    )
  }

  /// The token at which the error is, or the character where no token is.
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

  private static func remedy(_ error: PredicateFormatError) -> String {
    if error.message.contains("arguments, too few") {
      return "write the value itself: a text in quotes, a number, or CAST(0, \"NSDate\") for a date"
    }
    if let quote = ["“", "”", "‘", "’", "„"].first(where: { error.message.contains("\"\($0)\"") }) {
      return "texts stand in straight quotes, not in \(quote)"
    }
    return error.expected.isEmpty ? "remove it, or put it in quotes" : "there should be \(error.expected)"
  }
}
