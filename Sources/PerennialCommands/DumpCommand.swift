import ArgumentParser
import CoreData
import Files
import Foundation

/// `perennial dump STORE [--object ENTITY KEY] [--model MODEL] [--output FILE] [--partial]`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write all objects of a store as a seed.",
    discussion: """
      The seed loads into an equal store: objects by entity and natural key, relationships by the natural keys of what \
      they lead to, or by labels where no natural key tells objects apart. Equal stores give equal text. With --object \
      only one object is written, with all that it refers to and all that is deleted along with it. What a seed cannot say is an error, or left out with --partial. The \
      model is looked for beside the store and in it when none is given.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String?

  @Option(name: .shortAndLong, help: "The file to write; standard output unless given.")
  var output: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "One object, by its entity and the values of its natural key.",
      valueName: "entity> <key"
    )
  )
  var object: [String] = []

  @Flag(help: "Leave out what a seed cannot say, and name it on standard error.")
  var partial = false

  func validate() throws {
    guard object.count != 1 else { throw ValidationError("Give an entity and a key with --object.") }
  }

  func run() throws {
    try CommandFailure.reporting {
      let dump = try OpenedStore.reading(store, model: model) { opened in
        try StoreDump(opened.coordinator).seed(of: try root(in: opened.model))
      }
      if let first = dump.omissions.first, !partial {
        let more = dump.omissions.count == 1 ? "" : ", and \(dump.omissions.count - 1) more like it"
        throw CommandFailure(store, "a seed cannot say \(first)\(more)", remedy: "--partial leaves it out")
      }
      for omission in dump.omissions {
        warn("\(store): left out: \(omission)")
      }
      try write(dump.text)
    }
  }

  private func root(in model: NSManagedObjectModel) throws -> StoreDump.Root? {
    guard let entity = object.first else { return nil }
    return .init(entity: try EntityLookup.entity(entity, in: model), key: Array(object.dropFirst()))
  }

  private func write(_ text: String) throws {
    guard let output else { return printExactly(text) }
    do {
      try FileOutput.write(Data(text.utf8), to: URL(fileURLWithPath: output))
    } catch {
      throw CommandFailure(
        output,
        "the seed cannot be written here: \(error.localizedDescription)",
        remedy: "give another file with --output"
      )
    }
  }
}
