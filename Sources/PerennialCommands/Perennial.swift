package import ArgumentParser
import Foundation

/// The command line. It seeds, queries, inspects and migrates stores, and it compiles, compares and draws models.
///
/// The exit status is 0 after success, 1 after a failure, which is one line on standard error, and 64 for wrong usage.
package struct Perennial: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "perennial",
    abstract:
      "Seed, query, inspect and migrate Core Data stores; compile, compare and draw their models; write and port classes.",
    version: PerennialVersion.current,
    subcommands: [
      InitCommand.self, SeedCommands.self, ResetCommand.self, BuildStoreCommand.self,
      GenerateDataCommand.self,
      FetchCommand.self,
      InspectCommand.self, DumpCommand.self, SchemaCommand.self,
      CopyCommand.self,
    ] + commandsOfOurFramework + [
      CompileCommand.self, DecompileCommand.self, HashesCommand.self, DiffCommand.self, DiagramCommand.self,
      AddVersionCommand.self, MigrateCommand.self, GenerateCommand.self, PortCommand.self,
    ]
  )

  package init() {}

  /// Runs a command line, without the program's name, in this process.
  ///
  /// - Returns: the exit status that the program would end with, and the message that it would write to
  ///   standard error after a failure.
  package static func run(_ arguments: [String]) -> (status: Int32, message: String) {
    do {
      try UnknownCommand.check(arguments)
      var command = try parseAsRoot(expandingHelp(arguments))
      try command.run()
      return (0, "")
    } catch {
      return (exitCode(for: error).rawValue, shown(fullMessage(for: error)))
    }
  }

  /// Runs the command line of the process, and exits.
  package static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      try UnknownCommand.check(arguments)
      var command = try parseAsRoot(expandingHelp(arguments))
      try command.run()
    } catch {
      // The parser takes a while to compose a message.
      let composed = fullMessage(for: error)
      let message = shown(composed)
      if message == composed { exit(withError: error) }
      // Requested help goes to standard output.
      let status = exitCode(for: error)
      let output = status == .success ? FileHandle.standardOutput : .standardError
      try? output.write(contentsOf: Data((message + "\n").utf8))
      exit(withError: status)
    }
  }

  /// Replaces a request for the help of `seed` by one for its default subcommand, which has the options for loading seeds.
  static func expandingHelp(_ arguments: [String]) -> [String] {
    let requests = [["help", "seed"], ["seed", "help"], ["seed", "--help"], ["seed", "-h"]]
    return requests.contains(arguments) ? ["help", "seed", "seed"] : arguments
  }

  /// The message that the parser has composed for an error, as people see it. On wrong usage it repeats arguments, which may
  /// contain a password.
  private static func shown(_ composed: String) -> String {
    // The parser names the command that loads seeds `seed seed`. Completion scripts need that name, messages do not.
    let message = ["USAGE: ", "Usage: ", "See '"].reduce(composed) { message, start in
      message.replacing("\(start)perennial seed seed", with: "\(start)perennial seed")
    }
    return HiddenPasswords.hide(in: message)
  }

  /// The commands that need APIs which Apple's framework does not have.
  private static var commandsOfOurFramework: [any ParsableCommand.Type] {
    #if canImport(Darwin)
      []
    #else
      [
        GuardCommand.self, CheckCommand.self, DoctorCommand.self, BackupCommand.self, MaintainCommand.self,
        BrowseCommand.self,
      ]
    #endif
  }
}
