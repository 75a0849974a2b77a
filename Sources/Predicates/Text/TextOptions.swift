import Foundation

/// The differences between texts that do not count.
///
/// With any option set, texts are decomposed first (Unicode's NFD), so that a letter with a mark is the same however it
/// is spelled. `caseInsensitive` then folds each code by Unicode's full case mappings (lower, upper, lower again: `ß`
/// is `ss`, `ς` is `σ`), in no language's own way; the dotless `ı` stays apart from `i`. `diacriticInsensitive` drops
/// the nonspacing marks (general category Mn); a letter that has no decomposition, such as `ø` or `ł`, stays what it
/// is. Without options texts are compared code by code.
package struct TextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let caseInsensitive = TextOptions(rawValue: 1)
  package static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// The options of a comparison; `[n]` overrides the others.
  package init(_ options: NSComparisonPredicate.Options) {
    self = []
    if options.contains(.normalized) { return }
    if options.contains(.caseInsensitive) { insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { insert(.diacriticInsensitive) }
  }

  /// The text with the differences folded away: texts are the same when their folded forms are, code by code.
  package func folded(_ text: String) -> String {
    if isEmpty { return text }
    return text.withBytes { String(decoding: TextFolding.folded($0, options: self), as: UTF8.self) }
  }
}
