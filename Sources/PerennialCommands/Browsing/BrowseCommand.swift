import ArgumentParser
import Browser
import CoreData
import Foundation
import StoreExploration
import Synchronization

/// `perennial browse STORE --model M --compare OTHER --against MODEL --write --port N --token-file FILE --time-limit SECONDS --no-open`
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Look at a store in a web browser.",
    usage: "perennial browse [<options>] <store>",
    discussion: """
      The pages are served on this machine alone, to who has the address that is printed, until the command is ended \
      by Control-C. They only read, unless --write is given: then objects can be created, changed and deleted, and seeds \
      taken in. Changes are staged, can be undone and reviewed, and are in the store when they are saved; those that are \
      not saved are lost when the command ends. The model is looked for next to the store and in it when none is given. \
      With --compare the pages tell which objects another store of the same model has otherwise, with --against what is \
      different in another model.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Another store of the same model to compare with: a file, or postgresql://…. It is only read.",
      valueName: "store"
    )
  )
  var compare: StoreLocation?

  @Option(
    help: ArgumentHelp(
      "Another model to compare the store's with: an .xcdatamodeld, .xcdatamodel, .momd or .mom.",
      valueName: "model"
    ),
    completion: .modelFiles
  )
  var against: String?
  @Flag(help: "Let the pages change the store. It is refused for a store that can only be read.")
  var write = false

  @Option(help: "The port to listen on; without it 8737, or a free one where that is taken.") var port: Int?

  @Option(
    help: ArgumentHelp(
      "A file with a secret, made where there is none, that keeps the address of each store the same: links last.",
      valueName: "file"
    ),
    completion: .file()
  )
  var tokenFile: String?

  @Option(
    help: ArgumentHelp("The time that each read of the store may take; it is interrupted then.", valueName: "seconds")
  )
  var timeLimit = 10.0

  @Flag(help: "Print the address, and open no web browser.") var noOpen = false
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    if let port, !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    guard (0.1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit takes a number of seconds from 0.1 to 86400.")
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging) {
      let otherModel = try against.map(otherModel)
      // The server's pages report what other processes save.
      let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
      if write {
        try OpenedStore.writing(existing: store, model: model, options: options) { try serve($0, besides: otherModel) }
      } else {
        let needsWholeModel = otherModel != nil
        try OpenedStore.reading(store, model: model, needsWholeModel: needsWholeModel, options: options) {
          try serve($0, besides: otherModel)
        }
      }
    }
  }

  private func serve(_ opened: OpenedStore, besides otherModel: StoreBrowser.Counterparts.Model?) throws {
    var counterparts = StoreBrowser.Counterparts()
    counterparts.model = otherModel
    guard let compare else { return try serve(opened, counterparts: counterparts) }
    try OpenedStore.reading(compare, model: model) { other in
      counterparts.store = .init(other.coordinator, name: compare.description)
      do {
        try serve(opened, counterparts: counterparts)
      } catch let failure as ExplorationFailure {
        throw CommandFailure(
          file: compare.description,
          problem: failure.problem,
          remedy: failure.remedy,
          cause: failure
        )
      }
    }
  }

  private func serve(_ opened: OpenedStore, counterparts: StoreBrowser.Counterparts) throws {
    let location = opened.location
    try BrowserRun(
      coordinator: opened.coordinator,
      name: location.isOnServer ? location.description : location.url.lastPathComponent,
      port: port,
      opens: !noOpen,
      counterparts: counterparts,
      allowsWriting: write,
      tokenFile: tokenFile.map { URL(fileURLWithPath: $0) },
      timeLimit: .seconds(timeLimit)
    )
    .run()
  }

  private func otherModel(_ path: String) throws -> StoreBrowser.Counterparts.Model {
    .init(try ModelFile(path).currentModel(), name: URL(fileURLWithPath: path).lastPathComponent)
  }
}
