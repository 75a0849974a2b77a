import ArgumentParser

/// `perennial seed MODEL SEED...` and `perennial seed diff STORE SEED...`
struct SeedCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once, or show how a store differs from them.",
    subcommands: [SeedCommand.self, SeedDiffCommand.self],
    defaultSubcommand: SeedCommand.self
  )
}
