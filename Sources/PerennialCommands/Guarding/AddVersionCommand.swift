import ArgumentParser
import Foundation

/// `perennial add-version MODEL [NAME] [--from VERSION] [--keep-current]`
struct AddVersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-version",
    abstract: "Add a version to a model, as Xcode's Add Model Version does.",
    usage: "perennial add-version [<options>] <model> [<name>]",
    discussion: """
      Copies the current version, or the one that --from names, and makes the copy the current version. A version that \
      is released is not changed any more; changes belong into the new one. Without a name the copy is called after the \
      package: Notes 2, Notes 3. Xcode shows the version when the project is opened again.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld.", completion: .file(extensions: ["xcdatamodeld"]))
  var model: String

  @Argument(help: "The name of the new version, such as 'Notes 2'.") var name: String?
  @Option(help: ArgumentHelp("The version to copy.", valueName: "version")) var from: String?
  @Flag(help: "Leave the current version as it is.") var keepCurrent = false

  func run() throws {
    try CommandFailure.reporting {
      let addition = try VersionAddition(to: model, name: name, from: from)
      try addition.make(asCurrent: !keepCurrent)
      print("\(addition.folder): a copy of \(addition.source)" + (keepCurrent ? "" : ", and the current version"))
    }
  }
}
