import ArgumentParser
import Foundation

/// `perennial init NAME [--perennial URL|FOLDER]`
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a package with a model, a seed, a program and a test.",
    discussion: """
      The package is in a new folder of its name, and is there as a whole or not at all. `swift test` in it \
      seeds a store in memory and asks it; `swift run` seeds a store in a file. Without --perennial the package \
      depends on the checkout that this command was built in, or else on the folder perennial next to it.
      """
  )

  @Argument(help: "The name of the package, of its module and of its model, such as Garden.")
  var name: PackageName

  @Option(
    help: ArgumentHelp(
      "Where the new package has perennial from: the URL of a repository, or the folder of a checkout.",
      valueName: "URL|folder"
    ),
    completion: .directory
  )
  var perennial: String?

  func validate() throws {
    if let problem = name.problem { throw ValidationError("NAME: \(problem).") }
  }

  func run() throws {
    try CommandFailure.reporting {
      let origin =
        try perennial.map { try PackageOrigin($0) } ?? PackageOrigin(findingFrom: Bundle.main.executableURL)
      let package = NewPackage(name: name, origin: origin)
      try package.write()
      print(
        """
        \(name): a package of \(package.files.count) files, with perennial from \(origin.shown)

        Build it and pass its tests, which takes some minutes the first time, and run it:

          cd \(name)
          swift test
          swift run
        """
      )
    }
  }
}
