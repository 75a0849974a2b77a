import ArgumentParser

/// The command line: seeds stores, asks them, looks into them; compiles and compares models.
///
/// The exit status is 0 when all went well, 1 after a failure, which is one line on standard error, and 64 for
/// wrong usage.
@main
struct Perennial: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "perennial",
    abstract:
      "Seed, query and inspect Core Data stores; compile and compare their models; write and port classes.",
    subcommands: [
      SeedCommand.self, FetchCommand.self, InspectCommand.self, CompileCommand.self, DecompileCommand.self,
      HashesCommand.self, DiffCommand.self, GenerateCommand.self, PortCommand.self,
    ]
  )
}
