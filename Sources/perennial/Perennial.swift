import ArgumentParser

/// The command line: seeds stores, asks them, looks into them, migrates them; compiles and compares models.
///
/// The exit status is 0 when all went well, 1 after a failure, which is one line on standard error, and 64 for
/// wrong usage.
@main
struct Perennial: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perennial",
    abstract:
      "Seed, query, inspect and migrate Core Data stores; compile and compare their models; write and port classes.",
    subcommands: [
      SeedCommands.self, BuildStoreCommand.self, GenerateDataCommand.self, FetchCommand.self,
      InspectCommand.self, DumpCommand.self,
      CopyCommand.self,
    ] + commandsOfOurFramework + [
      CompileCommand.self, DecompileCommand.self, HashesCommand.self, DiffCommand.self, MigrateCommand.self,
      GenerateCommand.self, PortCommand.self,
    ]
  )

  /// What Apple's framework has no means for.
  private static var commandsOfOurFramework: [any ParsableCommand.Type] {
    #if canImport(Darwin)
      []
    #else
      [CheckCommand.self]
    #endif
  }
}
