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

  /// The plurals of a name, in lower case. Only the end of the name counts, so `BlogPost` and
  /// `TeamPerson` work.
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
    default:
      break
    }
    return forms
  }
}
