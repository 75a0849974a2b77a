import ArgumentParser
import Browser
import CoreData
import Foundation
import Synchronization

/// `perennial browse STORE --model M --port N --no-open`
struct BrowseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Look at a store in a web browser.",
    discussion: """
      The pages are served on this machine alone, to who has the address that is printed, until the command is ended \
      by Control-C. They only read. The model is looked for beside the store and in it when none is given.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….")
  var store: StoreLocation

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String?

  @Option(help: "The port to listen on; without it 8737, or a free one where that is taken.")
  var port: Int?

  @Flag(help: "Print the address, and open no web browser.")
  var noOpen = false

  @OptionGroup(title: "Log")
  var logging: LogOptions

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging) {
      // Pages tell when others have saved.
      let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
      try OpenedStore.reading(store, model: model, options: options) { opened in
        let name =
          opened.location.isOnServer
          ? opened.location.description : opened.location.url.lastPathComponent
        try BrowserRun(coordinator: opened.coordinator, name: name, port: port, opens: !noOpen).run()
      }
    }
  }
}
