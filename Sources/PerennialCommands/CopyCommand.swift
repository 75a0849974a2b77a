import ArgumentParser
import CoreData
import Foundation

/// `perennial copy STORE-A STORE-B [--model MODEL] [--type sqlite|xml|binary]`
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy a store into a new one, also of another type.",
    usage: "perennial copy [<options>] <source> <target>",
    discussion: """
      All objects go along, and what applications keep in the metadata. The type of the new store \
      comes from its name (.xml, .binary, else SQLite) unless it is given. The model is looked for next to the store \
      and in it when none is given. Between SQLite and PostgreSQL, either way, objects keep their keys, and the store its \
      identity and its history; the copy is made piece by piece, and is there as a whole or not at all.
      """
  )

  @Argument(help: "The store to copy: a file (SQLite, XML or binary), or postgresql://….")
  var source: StoreLocation

  @Argument(help: "The new store: a file, or postgresql://…. Nothing may be there.") var target: StoreLocation

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(help: "The type of the new store: sqlite, xml or binary.") var type: StoreFileType?
  @OptionGroup(title: "Waiting") var locking: LockOptions
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    guard type == nil || !target.isOnServer else {
      throw ValidationError("--type is of a file; a store on a server is one in PostgreSQL.")
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging, wait: locking.wait(for: source)) {
      try target.check()
      let type =
        target.isOnServer ? target.storeType : (type ?? StoreFileType(name: target.description)).storeType
      try OpenedStore.reading(
        source,
        model: model,
        needsWholeModel: true,
        options: locking.storeOptions
      ) { opened in
        do {
          try opened.copy(to: target, type: type, options: locking.storeOptions)
        } catch {
          throw ClosedStore.failure(target, error: error)
        }
      }
    }
  }
}
