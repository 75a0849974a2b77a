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
