import Seeding

/// The words that mean an entity.
struct EntityForms {
  /// In lower case, without what may be in them.
  let folded: [String]
  /// The plural as a person writes it, if it means the entity.
  let plural: String?

  init(name: String, names: EntityNames) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    let plurals = EnglishPlural.forms(of: name)
    let all = [plain] + plurals.map { $0.filter { $0 != "_" && $0 != "-" && $0 != " " } }
    folded = Array(Set(all)).sorted().filter { names.match($0) == .one(name) }
    // An irregular one comes first, the usual one last.
    let best = plurals.first == "\(name.lowercased())s" ? plurals.last : plurals.first
    plural = best.flatMap { best in
      let common = zip(name.lowercased(), best).prefix { $0 == $1 }.count
      let word = name.prefix(1).lowercased() + name.prefix(common).dropFirst() + best.dropFirst(common)
      return names.match(word) == .one(name) ? word : nil
    }
  }
}

/// Regular expressions of JSON Schema for words in any spelling: in any case, with or without `_`,
/// `-` and blanks.
enum WordPattern {
  /// - Parameter folded: The word in lower case and without what may be in it.
  static func pattern(_ folded: String) -> String { "^\(inner(folded))$" }

  /// One of several words.
  static func pattern(anyOf folded: [String]) -> String {
    folded.count == 1 ? pattern(folded[0]) : "^(?:\(folded.map(inner).joined(separator: "|")))$"
  }

  private static func inner(_ folded: String) -> String {
    let letters = folded.map { character in
      let cases = Set([character.lowercased(), character.uppercased()]).sorted()
      return cases.count == 1 ? escaped(cases[0]) : "(?:\(cases.map(escaped).joined(separator: "|")))"
    }
    let blank = "[-_ ]*"
    return blank + letters.joined(separator: blank) + blank
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "\\^$.|?*+()[]{}/".contains($0) ? ["\\", $0] : [$0] })
  }
}
