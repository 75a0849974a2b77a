import ArgumentParser
import Seeding

/// The options that choose one of several files of a seed.
struct VariantOptions: ParsableArguments {
  @Option(
    name: .customLong("env"),
    help: "Take seed.NAME.json, or NAME/seed.json, before seed.json."
  )
  var environment: String?

  @Option(
    name: .customLong("locale"),
    help: ArgumentHelp(
      "Take seed.nl.json before seed.json for nl-BE; of several locales, the preferred first.",
      valueName: "locale"
    )
  )
  var locales: [String] = []

  var variant: SeedVariant { SeedVariant(environment: environment, languages: locales) }
}
