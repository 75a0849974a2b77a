import Foundation
import Seeding
import Testing

@Suite("Variants of seeds")
final class SeedVariantTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes files with one tag each, named after the file.
  private func write(_ paths: String...) throws {
    for path in paths {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("{\"tags\": [{\"name\": \"\(path)\"}]}".utf8).write(to: url)
    }
  }

  /// The files that the variant selects for a seed or a folder.
  private func taken(_ path: String, _ variant: SeedVariant) throws -> [String] {
    let store = try TestStore()
    try Seeder(.file(folder.appendingPathComponent(path), variant: variant)).runAndWait(in: store.coordinator)
    return try store.values("Tag", "name")
  }

  @Test(
    "a variant's environment takes precedence over its language, and both over a file without a variant",
    arguments: [
      ("demo", ["nl"], "seed.demo.nl.json"), ("demo", ["fr"], "seed.demo.json"),
      ("demo", [], "seed.demo.json"),
      (nil, ["nl"], "seed.nl.json"), (nil, ["fr"], "seed.json"), (nil, ["en"], "seed.en.json"),
      (nil, [], "seed.json"), ("DEMO", [], "seed.demo.json"),
    ] as [(String?, [String], String)]
  )
  func order(environment: String?, languages: [String], expected: String) throws {
    try write("seed.json", "seed.nl.json", "seed.en.json", "seed.demo.json", "seed.demo.nl.json")
    let variant = SeedVariant(environment: environment, languages: languages)
    #expect(try taken("seed.json", variant) == [expected])
  }

  @Test(
    "a locale falls back to its parents, and then to the next locale of the list",
    arguments: [
      (["nl-BE"], "seed.nl.json"), (["nl_BE", "en"], "seed.nl.json"), (["fr-CA", "en-GB"], "seed.en.json"),
      (["es-MX"], "seed.es-419.json"), (["zh-Hant-HK"], "seed.zh-Hant.json"), (["zh-CN"], "seed.json"),
      (["pt-BR"], "seed.pt_BR.json"), (["de", "nl"], "seed.nl.json"),
    ] as [([String], String)]
  )
  func locales(languages: [String], expected: String) throws {
    try write(
      "seed.json",
      "seed.nl.json",
      "seed.en.json",
      "seed.es-419.json",
      "seed.zh-Hant.json",
      "seed.pt_BR.json"
    )
    #expect(try taken("seed.json", SeedVariant(languages: languages)) == [expected])
  }

  /// A locale and its language, which are equal according to the CLDR.
  private static let exactLocales = [
    ("pt-BR", "pt"), ("en-US", "en"), ("de-DE", "de"), ("zh-Hans-CN", "zh"), ("nl-NL", "nl"), ("fr-FR", "fr"),
  ]

  @Test(
    "the exact locale's file is used for a locale, and the language's file for the language",
    arguments: exactLocales
  )
  func exact(locale: String, language: String) throws {
    try write("seed.json", "seed.\(language).json", "seed.\(locale).json")
    #expect(try taken("seed.json", SeedVariant(languages: [locale])) == ["seed.\(locale).json"])
    #expect(try taken("seed.json", SeedVariant(languages: [language])) == ["seed.\(language).json"])
    let posix = locale.replacingOccurrences(of: "-", with: "_")
    for spelling in [posix, "\(posix).UTF-8", locale.lowercased(), "\(locale)-u-hc-h23"] {
      #expect(
        try taken("seed.json", SeedVariant(languages: [spelling])) == ["seed.\(locale).json"],
        "\(spelling)"
      )
    }
  }

  @Test("the exact locale takes precedence in an environment and in a folder, too", arguments: exactLocales)
  func exactInEnvironment(locale: String, language: String) throws {
    let variant = SeedVariant(environment: "demo", languages: ["fi", locale])
    try write("s/seed.json", "s/seed.\(locale).json", "s/seed.\(language).json")
    #expect(try taken("s", SeedVariant(languages: ["fi", locale])) == ["s/seed.\(locale).json"])
    try write("s/seed.demo.json", "s/seed.demo.\(language).json", "s/seed.demo.\(locale).json")
    #expect(try taken("s", variant) == ["s/seed.demo.\(locale).json"])
    #expect(try taken("s/seed.json", variant) == ["s/seed.demo.\(locale).json"])
    try write("t/seed.json", "t/demo/seed.\(language).json", "t/demo/seed.\(locale).json")
    #expect(try taken("t/seed.json", variant) == ["t/demo/seed.\(locale).json"])
  }

  @Test(
    "the exact locale takes precedence in the folders of a bundle's languages, too",
    arguments: exactLocales
  )
  func exactInBundle(locale: String, language: String) throws {
    try write(
      "App.bundle/seed.json",
      "App.bundle/\(language).lproj/seed.json",
      "App.bundle/\(locale).lproj/seed.json"
    )
    let bundle = try #require(Bundle(path: folder.appendingPathComponent("App.bundle").path))
    for identifier in [locale, language] {
      let store = try TestStore()
      let variant = SeedVariant(languages: [identifier])
      try Seeder(.bundle(bundle, "seed.json", variant: variant)).runAndWait(in: store.coordinator)
      #expect(try store.values("Tag", "name") == ["App.bundle/\(identifier).lproj/seed.json"])
    }
  }

  @Test("a folder named after the environment contains the environment's files")
  func environmentFolder() throws {
    try write("seed.json", "demo/seed.json", "demo/seed.nl.json", "test/seed.json")
    #expect(try taken("seed.json", SeedVariant(environment: "demo")) == ["demo/seed.json"])
    #expect(
      try taken("seed.json", SeedVariant(environment: "demo", languages: ["nl"])) == ["demo/seed.nl.json"]
    )
    #expect(try taken("seed.json", SeedVariant()) == ["seed.json"])
  }

  @Test("each seed of a folder is imported once, and files for other variants are left out")
  func folders() throws {
    try write(
      "seeds/a.json",
      "seeds/a.nl.json",
      "seeds/b.json",
      "seeds/b.demo.json",
      "seeds/only.demo.json",
      "seeds/demo/c.json",
      "seeds/demo/a.json",
      "seeds/c.v2.json"
    )
    #expect(try taken("seeds", SeedVariant()) == ["seeds/a.json", "seeds/b.json"])
    #expect(try taken("seeds", SeedVariant(languages: ["nl"])) == ["seeds/a.nl.json", "seeds/b.json"])
    #expect(
      try taken("seeds", SeedVariant(environment: "demo")) == [
        "seeds/b.demo.json", "seeds/demo/a.json", "seeds/demo/c.json", "seeds/only.demo.json",
      ]
    )
  }

  @Test("the store's ledger has a variant's seed under its common name")
  func ledger() throws {
    try write("seeds/a.json", "seeds/a.nl.json")
    let store = try TestStore()
    let source = SeedSource.file(
      folder.appendingPathComponent("seeds"),
      variant: SeedVariant(languages: ["nl"])
    )
    #expect(try Seeder(source).runAndWait(in: store.coordinator).seeds.map(\.name) == ["seeds/a.json"])
  }

  @Test("a table for a language is of the entity that its stem names")
  func table() throws {
    try Data("name\nNieuws\n".utf8).write(to: folder.appendingPathComponent("tags.nl.csv"))
    #expect(try taken("tags.csv", SeedVariant(languages: ["nl"])) == ["Nieuws"])
  }

  @Test("a named file is used without variants, and the error for a missing file lists what was looked for")
  func named() throws {
    try write("seed.demo.json")
    #expect(try taken("seed.demo.json", SeedVariant()) == ["seed.demo.json"])
    let error = #expect(throws: SeedError.self) {
      try taken("seed.json", SeedVariant(environment: "test", languages: ["nl"]))
    }
    #expect(error?.problem == "there is no such file, nor one for the environment test and the language nl")
  }

  @Test(
    "an environment without a file is an error that names it, unless it is optional",
    arguments: ["seeds", "seeds/seed.json", "App.bundle"]
  )
  func unknownEnvironment(path: String) throws {
    try write("seeds/seed.json", "seeds/seed.demo.json", "App.bundle/seed.json", "App.bundle/seed.demo.json")
    let url = folder.appendingPathComponent(path)
    let bundle = Bundle(path: url.path)
    let source = { (variant: SeedVariant) throws -> SeedSource in
      guard path.hasSuffix(".bundle") else { return .file(url, variant: variant) }
      let bundle = try #require(bundle)
      return .bundle(bundle, "seed.json", variant: variant)
    }
    for (environment, remedy) in [("dmeo", "was \"demo\" meant?"), ("production", "correct the name")] {
      var variant = SeedVariant(environment: environment)
      let store = try TestStore()
      let error = #expect(throws: SeedError.self) {
        try Seeder(source(variant)).runAndWait(in: store.coordinator)
      }
      #expect(error?.code == .unreadableFile)
      #expect(error?.problem == "there is no file for the environment \(environment)")
      #expect(error?.remedy.hasPrefix(remedy) == true)
      #expect(try store.count("Tag") == 0)
      variant.requiresEnvironment = false
      try Seeder(source(variant)).runAndWait(in: store.coordinator)
      #expect(try store.values("Tag", "name").allSatisfy { $0.hasSuffix("seed.json") })
      #expect(try store.count("Tag") == 1)
    }
  }

  @Test("a language without a file is an error only if the language is required")
  func requiredLanguage() throws {
    try write("seeds/seed.json", "seeds/seed.nl.json")
    var variant = SeedVariant(languages: ["fi", "sv-SE"])
    #expect(try taken("seeds", variant) == ["seeds/seed.json"])
    variant.requiresLanguage = true
    let error = #expect(throws: SeedError.self) { try taken("seeds", variant) }
    #expect(error?.problem == "there is no file for the languages fi, sv-SE")
    variant.languages.append("nl-BE")
    #expect(try taken("seeds", variant) == ["seeds/seed.nl.json"])
  }

  @Test("a file for the environment or language in one of several seeds is enough, even if it is not used")
  func severalSources() throws {
    try write("a.json", "b.json", "b.demo.json", "c.json", "c.nl.json", "c.demo.json")
    var variant = SeedVariant(environment: "demo", languages: ["nl"])
    variant.requiresLanguage = true
    let sources = ["a.json", "b.json", "c.json"].map { name in
      SeedSource.file(folder.appendingPathComponent(name), variant: variant)
    }
    let store = try TestStore()
    try Seeder(sources).runAndWait(in: store.coordinator)
    #expect(try store.values("Tag", "name") == ["a.json", "b.demo.json", "c.demo.json"])
  }

  @Test(
    "a run, a preview and a skipped run name the files and folders that a folder leaves out"
  )
  func leftOut() throws {
    try write(
      "seeds/a.json",
      "seeds/a.nl.json",
      "seeds/recipes.final.json",
      "seeds/people.v2.jsonl",
      "seeds/old/b.json",
      "seeds/demo/c.json",
      "seeds/demo/inner/d.json",
      "seeds/.hidden.json"
    )
    for path in ["seeds/README.md", "seeds/photos/pasta.jpg"] {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("x".utf8).write(to: url)
    }
    let seeds = folder.appendingPathComponent("seeds")
    for (variant, expected) in [
      (SeedVariant(), ["a.nl.json", "demo/", "old/", "people.v2.jsonl", "recipes.final.json"]),
      (SeedVariant(languages: ["nl"]), ["demo/", "old/", "people.v2.jsonl", "recipes.final.json"]),
      (
        SeedVariant(environment: "demo"),
        ["a.nl.json", "demo/inner/", "old/", "people.v2.jsonl", "recipes.final.json"]
      ),
    ] {
      let store = try TestStore()
      let seeder = Seeder(.file(seeds, variant: variant))
      let paths = expected.map { seeds.path + "/" + $0 }
      #expect(try seeder.preview(in: store.coordinator).report.leftOut == paths)
      #expect(try seeder.runAndWait(in: store.coordinator).leftOut == paths)
      #expect(try seeder.runAndWait(in: store.coordinator).leftOut == paths)
      #expect(
        try Seeder(.file(seeds, variant: variant), mode: .replace).runAndWait(in: store.coordinator).leftOut
          == paths
      )
    }
    // A source that names a file does not read other files.
    let file = Seeder(.file(seeds.appendingPathComponent("a.json")))
    #expect(try file.runAndWait(in: TestStore().coordinator).leftOut == [])
  }

  @Test("a folder whose seeds are all left out is an error that names them")
  func allLeftOut() throws {
    try write("seeds/recipes.final.json", "seeds/old/b.json")
    let error = #expect(throws: SeedError.self) { try taken("seeds", SeedVariant()) }
    #expect(error?.problem.hasPrefix("this is a folder without seeds; it has ") == true)
    #expect(error?.problem.contains("recipes.final.json") == true && error?.problem.contains("old/") == true)
  }

  @Test("resources are looked up with their variants, and in the folders of languages")
  func bundles() throws {
    try write("App.bundle/seed.json", "App.bundle/seed.demo.json", "App.bundle/nl.lproj/seed.json")
    let bundle = try #require(Bundle(path: folder.appendingPathComponent("App.bundle").path))
    for (variant, expected) in [
      (SeedVariant(), "App.bundle/seed.json"),
      (SeedVariant(environment: "demo"), "App.bundle/seed.demo.json"),
      (SeedVariant(languages: ["nl-BE"]), "App.bundle/nl.lproj/seed.json"),
    ] {
      let store = try TestStore()
      try Seeder(.bundle(bundle, "seed.json", variant: variant)).runAndWait(in: store.coordinator)
      #expect(try store.values("Tag", "name") == [expected])
    }
  }
}
