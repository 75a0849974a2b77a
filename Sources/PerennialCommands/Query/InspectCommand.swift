import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial inspect STORE`
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what is in a store: entities, counts, metadata, seeds.",
    discussion: """
      Objects are counted with the store's model, which is looked for next to the store and in it when none is \
      given; without it the entities are shown as the store's metadata have them.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @OptionGroup(title: "Log") var logging: LogOptions

  func run() throws {
    try CommandFailure.reporting(logging) { print(try StoreSummary(of: store, model: model).text, terminator: "") }
  }
}
