import ArgumentParser
import CoreData
import Foundation

/// `perennial schema MODEL [-o FILE]`
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Write the JSON Schema of a model's seeds, by which editors complete and check them.",
    discussion: """
      The schema is of draft 07 and for seeds in JSON and YAML. Whatever `perennial seed` takes is valid by it; what it says \
      of entities, attributes and relationships comes with what their user info has under documentation or description. Of a \
      package the current version is taken. The same model gives the same text.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String

  @Option(name: .shortAndLong, help: "The file to write; standard output unless given.", completion: .file())
  var output: String?

  func run() throws {
    try CommandFailure.reporting {
      let name = URL(fileURLWithPath: model).deletingPathExtension().lastPathComponent
      let text = try SeedSchema(try ModelFile(model).currentModel(), title: "Seeds of \(name)").text()
      guard let output else { return printExactly(text) }
      try OptionFile(path: output, option: "--output", content: "schema").write(text)
    }
  }
}
