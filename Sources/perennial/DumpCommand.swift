import ArgumentParser
import CoreData
import Foundation

/// `perennial dump STORE [--model MODEL] [--output FILE] [--partial]`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write all objects of a store as a seed.",
    discussion: """
      The seed loads into an equal store: objects by entity and natural key, relationships by the natural keys of what \
      they lead to. Equal stores give equal text. What a seed cannot say is an error, or left out with --partial. The \
      model is looked for beside the store and in it when none is given.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String?

  @Option(name: .shortAndLong, help: "The file to write; standard output unless given.")
  var output: String?

  @Flag(help: "Leave out what a seed cannot say, and name it on standard error.")
  var partial = false

  func run() throws {
    try CommandFailure.reporting {
      let opened = try OpenedStore(reading: store, model: model)
      let dump = try StoreDump(opened.coordinator).seed()
      try opened.close()
      if let first = dump.omissions.first, !partial {
        let more = dump.omissions.count == 1 ? "" : ", and \(dump.omissions.count - 1) more like it"
        throw CommandFailure(store, "a seed cannot say \(first)\(more)", remedy: "--partial leaves it out")
      }
      for omission in dump.omissions {
        FileHandle.standardError.write(Data("\(store): left out: \(omission)\n".utf8))
      }
      try write(dump.text)
    }
  }

  private func write(_ text: String) throws {
    guard let output else { return print(text, terminator: "") }
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      throw CommandFailure(
        output,
        "the seed cannot be written here",
        remedy: "give another file with --output"
      )
    }
  }
}
