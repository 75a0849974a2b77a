import ArgumentParser
import CoreData
import Foundation

/// `perennial copy STORE-A STORE-B [--model MODEL] [--type sqlite|xml|binary]`
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store into a new one, also of another type.",
    discussion: """
      All objects go along, and what applications keep in the metadata. The type of the new store \
      comes from its name (.xml, .binary, else SQLite) unless it is given. The model is looked for beside the store \
      and in it when none is given.
      """
  )

  @Argument(help: "The store to copy: SQLite, XML or binary.")
  var source: String

  @Argument(help: "The new store. Nothing may be there.")
  var target: String

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String?

  @Option(help: "The type of the new store: sqlite, xml or binary.")
  var type: StoreFileType?

  @OptionGroup(title: "Waiting")
  var locking: LockOptions

  @OptionGroup(title: "Log")
  var logging: LogOptions

  func run() throws {
    try CommandFailure.reporting(logging, locking.wait(for: source)) {
      let type = type ?? StoreFileType(name: target)
      try OpenedStore.reading(
        source,
        model: model,
        needsWholeModel: true,
        options: locking.storeOptions
      ) { opened in
        do {
          try opened.copy(to: target, type: type.storeType)
        } catch {
          throw ClosedStore.failure(target, error)
        }
      }
    }
  }
}
