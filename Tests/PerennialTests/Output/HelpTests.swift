import ArgumentParser
import Testing

@testable import PerennialCommands

@Suite("The help of the command")
struct HelpTests {
  /// All subcommands of a command, recursively.
  private static func all(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap(all)
  }

  @Test("the help fits a terminal of 80 columns", arguments: all(of: Perennial.self).indices)
  func width(index: Int) {
    let command = Self.all(of: Perennial.self)[index]
    let help = Perennial.helpMessage(for: command, columns: 80)
    #expect(!help.isEmpty)
    for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("a hand-written usage line names its own command", arguments: all(of: Perennial.self).indices)
  func usage(index: Int) {
    let configuration = Self.all(of: Perennial.self)[index].configuration
    guard let usage = configuration.usage else { return }
    #expect(usage.hasPrefix("perennial "))
    #expect(usage.contains(" \(configuration.commandName ?? "") "), "\(usage)")
  }
}
