import Foundation

/// The right side of MATCHES: a regular expression that the whole text has to match.
// Immutable; NSRegularExpression is documented as safe on any thread.
struct RegularExpression: @unchecked Sendable {
  /// Immutable, and documented as safe on any thread.
  private let expression: NSRegularExpression
  /// The expression as it was written, without diacritics where these are ignored.
  private let pattern: String
  private let options: TextOptions
  /// True when the expression itself says that the match must reach both ends.
  private let isAnchored: Bool

  init(_ pattern: String, options: TextOptions) throws(PredicateEvaluationError) {
    let marksRemoved = options.intersection(.diacriticInsensitive)
    // Foundation takes no empty pattern, which matches the empty text.
    let pattern = pattern.isEmpty ? "(?:)" : marksRemoved.folded(pattern)
    let regexOptions: NSRegularExpression.Options =
      options.contains(.caseInsensitive) ? [.caseInsensitive] : []
    guard let plain = try? NSRegularExpression(pattern: pattern, options: regexOptions) else {
      throw PredicateEvaluationError("\"\(pattern)\" is not a regular expression")
    }
    self.options = marksRemoved
    self.pattern = pattern
    // A comment or a quotation that runs to the end of the pattern would include the text that is added after it.
    if let anchored = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: regexOptions) {
      expression = anchored
      isAnchored = true
    } else {
      expression = plain
      isAnchored = false
    }
  }

  /// - Throws: `PredicateEvaluationError` when the engine reaches a limit, which says nothing about the text. A
  ///   repeated group takes memory for each repetition, because the engine may have to backtrack to it.
  func matches(_ text: String) throws(PredicateEvaluationError) -> Bool {
    let text = options.folded(text)
    let range = NSRange(location: 0, length: text.utf16.count)
    var found: NSRange?
    var hasGivenUp = false
    // In both cases, Foundation's first match is `nil`.
    expression.enumerateMatches(in: text, options: [.anchored, .reportCompletion], range: range) {
      match,
      flags,
      stop in
      if let match {
        found = match.range
        stop.pointee = true
      } else if flags.contains(.internalError) {
        hasGivenUp = true
      }
    }
    if hasGivenUp { throw .gaveUp(on: range.length, pattern: pattern) }
    return found.map { isAnchored || $0 == range } ?? false
  }
}

extension PredicateEvaluationError {
  /// The common part of the messages about an engine for regular expressions that has reached a limit.
  package static let givenUp = "The engine for regular expressions gave up"

  fileprivate static func gaveUp(on length: Int, pattern: String) -> Self {
    let shown = pattern.count > 200 ? "\(pattern.prefix(200))…" : pattern
    return ofValue(
      """
      \(givenUp): "\(shown)" takes too much memory for a text of \(length) characters. Repeat a set, as [\\s\\S]*, \
      instead of a group, as (.|\\n)*
      """
    )
  }
}
