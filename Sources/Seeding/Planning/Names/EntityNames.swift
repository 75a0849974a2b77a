/// Finds the entity that a seed's word means: its exact name, its name in any case, or its plural.
///
/// `tags` means `Tag`, `categories` means `Category`, `people` means `Person`, `blog_posts` means
/// `BlogPost`.
package struct EntityNames: Sendable {
  package enum Match: Equatable {
    case one(String)
    case none
    case several([String])
  }

  /// The names of the model's entities, sorted.
  package let all: [String]
  private let exact: Set<String>
  private let singular: [String: [String]]
  private let plural: [String: [String]]

  package init(_ names: some Sequence<String>) {
    all = names.sorted()
    exact = Set(all)
    singular = Dictionary(grouping: all, by: Self.folded)
    var plural: [String: [String]] = [:]
    for name in all {
      for form in EnglishPlural.forms(of: name) { plural[Self.folded(form), default: []].append(name) }
    }
    self.plural = plural
  }

  package func match(_ word: String) -> Match {
    if exact.contains(word) { return .one(word) }
    let folded = Self.folded(word)
    // A name that is meant as it stands goes before the plural of another: `News` before the plural of `New`.
    for names in [singular[folded], plural[folded]] {
      guard let names else { continue }
      return names.count == 1 ? .one(names[0]) : .several(names)
    }
    return .none
  }

  private static func folded(_ word: String) -> String {
    word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }
}
