import ArgumentParser
import Seeding

/// The options that choose one of a seed's variant files.
struct VariantOptions: ParsableArguments {
  @Option(
    name: .customLong("env"),
    help:
      "Take seed.NAME.json, or NAME/seed.json, before seed.json; one of the seeds has to have such a file."
  )
  var environment: String?

  @Option(
    name: .customLong("locale"),
    help: ArgumentHelp(
      "Take seed.nl.json before seed.json for nl-BE; of several locales, the preferred first. One of them has to have a file.",
      valueName: "locale"
    )
  )
  var locales: [String] = []

  @Flag(help: "Let there be no file for --env and --locale: then seed.json is taken.")
  var optionalVariant = false

  var variant: SeedVariant {
    var variant = SeedVariant(environment: environment, languages: locales)
    variant.requiresEnvironment = !optionalVariant
    variant.requiresLanguage = !optionalVariant
    return variant
  }
}
