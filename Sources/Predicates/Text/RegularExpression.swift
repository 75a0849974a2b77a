import Foundation

/// The right side of MATCHES: a regular expression that the whole text has to match.
// Immutable; NSRegularExpression is documented as safe on any thread.
struct RegularExpression: @unchecked Sendable {
  /// Immutable, and documented as safe on any thread.
  private let expression: NSRegularExpression
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
    // A comment or a quotation that runs to the end of the pattern would swallow what is added
    // behind it.
    if let anchored = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: regexOptions) {
      expression = anchored
      isAnchored = true
    } else {
      expression = plain
      isAnchored = false
    }
  }

  func matches(_ text: String) -> Bool {
    let text = options.folded(text)
    let range = NSRange(location: 0, length: text.utf16.count)
    guard let match = expression.firstMatch(in: text, options: [.anchored], range: range) else {
      return false
    }
    return isAnchored || match.range == range
  }
}
