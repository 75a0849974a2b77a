import Foundation

/// The choice among several files of one seed: the one for an environment, the one in a language.
///
/// The part of a file name between its stem and its format names the variant: `seed.demo.json` is `seed.json` in the
/// environment `demo`, `seed.nl.json` is `seed.json` in Dutch, and `seed.demo.nl.json` is both. Files in a folder named
/// after the environment also belong to that environment: `demo/seed.json`. Of these files, the first one that exists
/// is used: for the environment and in a language, for the environment, in a language, for neither. A run throws a
/// `SeedError` if none of the seeds has a file for the environment, because its name may be misspelled
/// (`requiresEnvironment`).
///
/// ```swift
/// let demo = SeedSource.file(url, variant: SeedVariant(environment: "demo", languages: ["nl", "en"]))
/// try await Seeder(demo).run(in: container)  // seed.demo.json, where there is one
/// ```
public struct SeedVariant: Hashable, Sendable {
  /// The environment, such as `demo` or `test`; nil for none.
  public var environment: String?

  /// Identifiers of languages or locales such as `nl-BE`, the preferred first. Each also includes its parents in the
  /// Unicode CLDR: `nl-BE` includes `nl`, `es-MX` includes `es-419` and `es`, `zh-Hant-HK` includes `zh-Hant`. If `pt`
  /// and `pt-BR` mean the same, the file whose name has the identifier given here is nearer.
  public var languages: [String]

  /// True when one of the seeds of a run has to have a file for the environment.
  ///
  /// ```swift
  /// var variant = SeedVariant(environment: "demo")
  /// variant.requiresEnvironment = false  // the general files do, where there are no others
  /// ```
  public var requiresEnvironment = true

  /// True if at least one seed of a run has to have a file in one of the languages. Use false for
  /// the languages of a user, who may prefer languages without a file.
  public var requiresLanguage = false

  /// Creates a variant. Without environment and languages, the named file is used.
  public init(environment: String? = nil, languages: [String] = []) {
    self.environment = environment
    self.languages = languages
  }

  /// Creates a variant in the languages that the user prefers, as `Locale.preferredLanguages` has them.
  public static func preferred(environment: String? = nil) -> SeedVariant {
    SeedVariant(environment: environment, languages: Locale.preferredLanguages)
  }

  /// How a file matches a variant.
  struct Match {
    /// A file with a smaller distance is nearer.
    let distance: Int
    let isOfEnvironment: Bool
    let isInLanguage: Bool
  }

  /// True when neither an environment nor a language is asked for.
  var isGeneral: Bool { environment == nil && languages.isEmpty }

  /// The match of a file that has these words between its stem and its format; nil for a file of another variant.
  func match(_ words: [String]) -> Match? {
    let chain = languageChain
    var isOfEnvironment = false
    var language: Int?
    for word in words {
      if let environment, !isOfEnvironment, word.lowercased() == environment.lowercased() {
        isOfEnvironment = true
      } else if language == nil, let distance = Self.distance(of: word, in: chain) {
        language = distance
      } else {
        return nil
      }
    }
    let without = 2 * chain.count
    return Match(
      distance: (isOfEnvironment ? 0 : without + 1) + (language ?? without),
      isOfEnvironment: isOfEnvironment,
      isInLanguage: language != nil
    )
  }

  /// A language that is looked for.
  private struct ChainedLanguage {
    /// Its identifier with script and region, so that `nl` and `nl-NL` are one.
    let maximal: String
    /// The identifier as it was given; nil for a parent. `pt` and `pt-BR` mean the same, and the
    /// one that was given is nearer.
    let spelled: String?
  }

  /// Nil if the word is not one of the languages.
  private static func distance(of word: String, in chain: [ChainedLanguage]) -> Int? {
    let maximal = Locale.Language(identifier: word).maximalIdentifier
    guard let index = chain.firstIndex(where: { $0.maximal == maximal }) else { return nil }
    return 2 * index + (chain[index].spelled == plain(word).lowercased() ? 0 : 1)
  }

  /// The languages and their parents.
  private var languageChain: [ChainedLanguage] {
    var chain: [ChainedLanguage] = []
    for identifier in languages.map(Self.plain) {
      var language: Locale.Language? = Locale.Language(identifier: identifier)
      var spelled: String? = identifier.lowercased()
      while let present = language, present.languageCode != Self.root {
        let maximal = present.maximalIdentifier
        if !chain.contains(where: { $0.maximal == maximal }) {
          chain.append(ChainedLanguage(maximal: maximal, spelled: spelled))
        }
        language = present.parent == present ? nil : present.parent
        spelled = nil
      }
    }
    return chain
  }

  private static let root = Locale.LanguageCode("root")

  /// The language, script and region of an identifier, with hyphens: without an encoding such as `.UTF-8`, and without
  /// extensions, which begin with one letter, such as `-u-hc-h23`.
  private static func plain(_ identifier: String) -> String {
    let parts = identifier.prefix { $0 != "." && $0 != "@" }.split { $0 == "-" || $0 == "_" }
    let plain = parts.prefix { $0.count > 1 }.joined(separator: "-")
    return plain.isEmpty ? identifier : plain
  }

  /// The variant that was looked for, in the words of an error; empty without a variant.
  var words: String {
    var parts: [String] = []
    if let environment { parts.append("the environment \(environment)") }
    if !languages.isEmpty { parts.append(languageWords) }
    return parts.joined(separator: " and ")
  }

  /// The languages that were looked for, as an error says them.
  var languageWords: String { "the language\(languages.count == 1 ? "" : "s") \(languages.joined(separator: ", "))" }
}
