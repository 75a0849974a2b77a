import Foundation

/// A text operation with its right side prepared: what the evaluator uses, and what a SQL store
/// registers as a function, so that both agree on every text.
package struct TextMatcher: Sendable {
  /// The operations; all of them compare code by code after folding.
  package enum Operation: String, Sendable {
    case equal
    case beginsWith
    case endsWith
    case contains
    /// `?` is one character (a code with the nonspacing marks that follow it), `*` any number of
    /// them; a backslash makes the next character literal.
    case like
    /// The whole text matches the regular expression (ICU's syntax).
    case matches

    /// The operation of an operator that only texts have; `nil` for other operators.
    package init?(_ type: NSComparisonPredicate.Operator) {
      switch type {
      case .beginsWith: self = .beginsWith
      case .endsWith: self = .endsWith
      case .contains: self = .contains
      case .like: self = .like
      case .matches: self = .matches
      default: return nil
      }
    }
  }

  private enum Test: Sendable {
    case equal([UInt8])
    case beginsWith([UInt8])
    case endsWith([UInt8])
    case contains([UInt8])
    case like(LikePattern)
    case matches(RegularExpression)
  }

  private let options: TextOptions
  private let test: Test
  /// True when the folded pattern has only ASCII codes, without which no ASCII text can match.
  private let patternIsASCII: Bool

  /// Prepares an operation.
  ///
  /// - Throws: `PredicateEvaluationError` for an invalid regular expression.
  package init(_ operation: Operation, pattern: String, options: TextOptions = []) throws(PredicateEvaluationError) {
    self.options = options
    let folded = Array(options.folded(pattern).utf8)
    patternIsASCII = folded.allSatisfy { $0 < 0x80 }
    switch operation {
    case .equal: test = .equal(folded)
    case .beginsWith: test = .beginsWith(folded)
    case .endsWith: test = .endsWith(folded)
    case .contains: test = .contains(folded)
    case .like: test = .like(LikePattern(pattern, options: options))
    case .matches: test = .matches(try RegularExpression(pattern, options: options))
    }
  }

  /// Returns true when the text matches.
  ///
  /// - Throws: `PredicateEvaluationError` when the engine for regular expressions reaches a limit.
  package func matches(_ text: String) throws(PredicateEvaluationError) -> Bool {
    if case .matches(let expression) = test { return try expression.matches(text) }
    return text.withBytes(matchesBytes)
  }

  /// Returns true when the text, given as UTF-8, matches.
  ///
  /// - Throws: `PredicateEvaluationError` when the engine for regular expressions reaches a limit.
  package func matches(utf8 text: UnsafeBufferPointer<UInt8>) throws(PredicateEvaluationError) -> Bool {
    if case .matches(let expression) = test { return try expression.matches(String(decoding: text, as: UTF8.self)) }
    return matchesBytes(text)
  }

  /// The test of all operations but regular expressions.
  private func matchesBytes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch test {
    case .like(let pattern): return pattern.matches(text)
    case .matches: return false
    case .equal(let pattern), .beginsWith(let pattern), .endsWith(let pattern), .contains(let pattern):
      if options.isEmpty { return matches(text, pattern: pattern, folding: false) }
      if TextFolding.isASCII(text) {
        guard patternIsASCII else { return false }
        return matches(text, pattern: pattern, folding: options.contains(.caseInsensitive))
      }
      return TextFolding.folded(text, options: options).withUnsafeBufferPointer {
        matches($0, pattern: pattern, folding: false)
      }
    }
  }

  private func matches(_ text: UnsafeBufferPointer<UInt8>, pattern: [UInt8], folding: Bool) -> Bool {
    guard text.count >= pattern.count else { return false }
    let last = text.count - pattern.count
    return pattern.withUnsafeBufferPointer { pattern in
      switch test {
      case .equal: return last == 0 && ByteSearch.has(text, pattern: pattern, at: 0, folding: folding)
      case .beginsWith:
        return ByteSearch.has(text, pattern: pattern, at: 0, folding: folding)
          && isBoundary(text, index: pattern.count)
      case .endsWith: return ByteSearch.has(text, pattern: pattern, at: last, folding: folding)
      case .contains:
        var place = 0
        while let found = ByteSearch.firstIndex(of: pattern, in: text, from: place, folding: folding) {
          if isBoundary(text, index: found + pattern.count) { return true }
          place = found + 1
        }
        return false
      case .like, .matches: return false
      }
    }
  }

  /// Returns true when the text may be cut here: with case folded and marks kept, an `e` is not a part of `é`, whose
  /// mark was split off by decomposing. Without options codes are compared, not characters.
  private func isBoundary(_ text: UnsafeBufferPointer<UInt8>, index: Int) -> Bool {
    guard options == .caseInsensitive, index > 0, index < text.count, text[index] >= 0xCC else { return true }
    let rest = UnsafeBufferPointer(rebasing: text[index..<min(index + 4, text.count)])
    guard let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first else { return true }
    return scalar.properties.canonicalCombiningClass == .notReordered
  }
}
