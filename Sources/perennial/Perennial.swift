import ArgumentParser

@main
struct Perennial: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "perennial")
}
