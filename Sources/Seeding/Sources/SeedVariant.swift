import Foundation

/// The choice among several files of one seed: the one for an environment, the one in a language.
///
/// A file's name tells what it is for between its stem and its format: `seed.demo.json` is
/// `seed.json` in the environment `demo`, `seed.nl.json` is `seed.json` in Dutch, and
/// `seed.demo.nl.json` is both. Files in a folder named after the environment are of that
/// environment too: `demo/seed.json`. One file is taken, the first that is there of: for the
/// environment and in a language, for the environment, in a language, for neither.
///
/// ```swift
/// let demo = SeedSource.file(url, variant: SeedVariant(environment: "demo", languages: ["nl", "en"]))
/// try await Seeder(demo).run(in: container)  // seed.demo.json, where there is one
/// ```
public struct SeedVariant: Hashable, Sendable {
  /// The environment, such as `demo` or `test`; nil for none.
  public var environment: String?

  /// Identifiers of languages or locales such as `nl-BE`, the preferred first. Each stands for
  /// itself and for what the Unicode CLDR has as its parents: `nl-BE` for `nl` too, `es-MX` for
  /// `es-419` and `es`, `zh-Hant-HK` for `zh-Hant`.
  public var languages: [String]

  /// Creates a variant. Without environment and languages, the file that is named is taken.
  public init(environment: String? = nil, languages: [String] = []) {
    self.environment = environment
    self.languages = languages
  }

  /// Creates a variant in the languages that the user prefers, as `Locale.preferredLanguages` has
  /// them.
  public static func preferred(environment: String? = nil) -> SeedVariant {
    SeedVariant(environment: environment, languages: Locale.preferredLanguages)
  }

  /// The distance of a file whose name has these words between stem and format: a smaller one is
  /// nearer, nil is another variant.
  func distance(of words: [String]) -> Int? {
    let chain = languageChain
    var isOfEnvironment = false
    var language: Int?
    for word in words {
      if let environment, !isOfEnvironment, word.lowercased() == environment.lowercased() {
        isOfEnvironment = true
      } else if language == nil, let index = chain.firstIndex(of: Self.canonical(word)) {
        language = index
      } else {
        return nil
      }
    }
    return (isOfEnvironment ? 0 : chain.count + 1) + (language ?? chain.count)
  }

  /// The languages and their parents, each with script and region, so that `nl` and `nl-NL` are
  /// one.
  private var languageChain: [String] {
    var chain: [String] = []
    for identifier in languages {
      var language: Locale.Language? = Locale.Language(identifier: identifier)
      while let present = language, present.languageCode != Self.root {
        if !chain.contains(present.maximalIdentifier) { chain.append(present.maximalIdentifier) }
        language = present.parent == present ? nil : present.parent
      }
    }
    return chain
  }

  private static let root = Locale.LanguageCode("root")

  private static func canonical(_ word: String) -> String {
    Locale.Language(identifier: word).maximalIdentifier
  }

  /// The variant that was looked for, as an error says it; empty for none.
  var words: String {
    var parts: [String] = []
    if let environment { parts.append("the environment \(environment)") }
    if !languages.isEmpty { parts.append("the languages \(languages.joined(separator: ", "))") }
    return parts.joined(separator: " and ")
  }
}
