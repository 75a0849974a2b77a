/// Finds the entity that a seed's word means: its exact name, its name in any case, or its plural.
///
/// `tags` means `Tag`, `categories` means `Category`, `people` means `Person`, `blog_posts` means `BlogPost`.
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
    // A literal match takes precedence over the plural of another name: `News` before the plural of `New`.
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

/// The plurals that a person may write for an English noun. It gives more forms than a grammar
/// would: they are only compared with the words of a seed.
package enum EnglishPlural {
  private static let irregular: [(singular: String, plural: String)] = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"),
    ("mouse", "mice"), ("goose", "geese"), ("foot", "feet"), ("tooth", "teeth"), ("ox", "oxen"),
    ("datum", "data"), ("medium", "media"), ("bacterium", "bacteria"), ("curriculum", "curricula"),
    ("criterion", "criteria"), ("phenomenon", "phenomena"),
    ("index", "indices"), ("vertex", "vertices"), ("matrix", "matrices"), ("appendix", "appendices"),
    ("radius", "radii"), ("quiz", "quizzes"), ("leaf", "leaves"), ("half", "halves"), ("shelf", "shelves"),
    ("wolf", "wolves"), ("life", "lives"), ("knife", "knives"), ("wife", "wives"),
  ]

  private static let vowels: Set<Character> = ["a", "e", "i", "o", "u"]

  /// The plurals of a name, in lower case. Only the end of the name counts, so `BlogPost` and `TeamPerson` work.
  package static func forms(of name: String) -> [String] {
    let word = name.lowercased()
    var forms: [String] = irregular.compactMap { entry in
      word.hasSuffix(entry.singular) ? word.dropLast(entry.singular.count) + entry.plural : nil
    }
    forms.append(word + "s")
    guard let last = word.last else { return [] }
    let beforeLast = word.dropLast().last
    switch last {
    case "y" where !vowels.contains(beforeLast ?? "a"):
      forms.append(word.dropLast() + "ies")
    case "s", "x", "z", "o":
      forms.append(word + "es")
      if word.hasSuffix("is") { forms.append(word.dropLast(2) + "es") }
    case "h" where beforeLast == "c" || beforeLast == "s":
      forms.append(word + "es")
    default: break
    }
    return forms
  }
}
