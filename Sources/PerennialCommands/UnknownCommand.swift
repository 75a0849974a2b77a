import ArgumentParser
import Texts

/// A first word that is not a command, and the command that the user probably meant.
enum UnknownCommand {
  /// The commands for words that other programs have as commands.
  private static let elsewhere = [
    "version": "perennial --version",
    "completion": "perennial --generate-completion-script bash (or zsh, or fish)",
    "completions": "perennial --generate-completion-script bash (or zsh, or fish)",
  ]

  /// - Throws: a `ValidationError` with the right command, where the first word resembles one.
  static func check(_ arguments: [String]) throws {
    guard let word = arguments.first, !word.hasPrefix("-") else { return }
    let commands = Perennial.configuration.subcommands.map { $0._commandName }
    if commands.contains(word) || word == "help" { return }
    let nearest = Suggestion.nearest(to: word, among: commands.sorted()).map { "perennial \($0)" }
    guard let meant = elsewhere[word] ?? nearest else { return }
    throw ValidationError("There is no command '\(word.abbreviated)'; write \(meant).")
  }
}
