import Seeding

/// The words that name an entity in a seed.
struct EntityForms {
  /// The words in lower case, without `_`, `-` and blanks.
  let folded: [String]
  /// The plural in its usual spelling, if it names this entity only.
  let plural: String?

  init(name: String, names: EntityNames) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    let plurals = EnglishPlural.forms(of: name)
    let all = [plain] + plurals.map { $0.filter { $0 != "_" && $0 != "-" && $0 != " " } }
    folded = Array(Set(all)).sorted().filter { names.match($0) == .one(name) }
    // The irregular plural comes first, the regular one last.
    let best = plurals.first == "\(name.lowercased())s" ? plurals.last : plurals.first
    plural = best.flatMap { best in
      let common = zip(name.lowercased(), best).prefix { $0 == $1 }.count
      let word = name.prefix(1).lowercased() + name.prefix(common).dropFirst() + best.dropFirst(common)
      return names.match(word) == .one(name) ? word : nil
    }
  }
}

/// Regular expressions of JSON Schema for words in any spelling: in any case, and with or without `_`, `-` and blanks.
enum WordPattern {
  /// - Parameter folded: The word in lower case, without `_`, `-` and blanks.
  static func pattern(_ folded: String) -> String { "^\(inner(folded))$" }

  /// The pattern that matches any of several words.
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
