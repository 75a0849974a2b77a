import ArgumentParser
import CoreData
import Foundation
import Texts

/// `perennial migrate STORE --to MODEL`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a store to another version of its model.",
    usage: "perennial migrate --to <to> [<options>] <store>",
    discussion: """
      The mapping between the two versions is inferred, or read from a mapping model. The store is migrated in one \
      transaction, for which others that write it have to wait: a failure leaves the store as it was. The version that the \
      store was made with is looked for in the package of the new model, next to the store, and in the store. A store that has \
      objects of an entity, or values of a property, which the new model lacks is migrated only where --drop names each of \
      them. A version that is found in the store alone may be later than the model given: such a store is migrated only where \
      nothing at all is lost by it, or with --allow-downgrade. A program that has the store open keeps reading what it can, \
      and is refused when it saves, until it opens the store again with the new model.
      """
  )

  @Argument(help: "The store: a SQLite file, or postgresql://….") var store: StoreLocation

  @Option(
    name: .customLong("to"),
    help: "The new model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.",
    completion: .modelFiles
  )
  var newer: String

  @Option(
    name: .customLong("from"),
    help: "The model that the store was made with, if it is elsewhere.",
    completion: .modelFiles
  )
  var older: String?

  @Option(help: "A mapping model: a .cdm or .xcmappingmodel.", completion: .mappingFiles) var mapping: String?
  @Flag(help: "Show the changes, and try them on a copy that is thrown away.") var dryRun = false
  @Flag(help: "Keep a copy of the store as it was, in STORE.backup.") var backup = false

  @Option(
    name: .customLong("drop"),
    help: ArgumentHelp(
      "What the store may lose: an entity with its objects, or Entity.property with its values. May be repeated.",
      valueName: "name"
    )
  )
  var dropped: [String] = []

  @Flag(
    help: """
      Migrate also where the store loses entities, properties or values that --drop does not name, or where its model is in \
      the store alone.
      """
  )
  var allowDowngrade = false

  @OptionGroup(title: "Waiting") var locking: LockOptions
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    guard !backup || !store.isOnServer else {
      throw ValidationError("--backup is of a file; back a store on a server up with pg_dump --schema.")
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging, wait: locking.wait(for: store)) {
      var metadata = try ClosedStore.metadata(of: store, options: locking.storeOptions)
      while true {
        do {
          return try migrate(metadata)
        } catch {
          guard hasChangedNothing(error) else { throw error }
          let now = try ClosedStore.metadata(of: store, options: locking.storeOptions)
          if Self.hashes(now) == Self.hashes(metadata) { throw error }
          metadata = now
          warn("\(store): another program has migrated the store meanwhile; this command examines it again")
        }
      }
    }
  }

  /// True for a failure after which the command may inspect the store again: the migration changed nothing,
  /// and the failure is not the timeout of a wait for a lock.
  private func hasChangedNothing(_ error: any Error) -> Bool {
    if StoreWait.timeout(in: error) != nil { return false }
    return dryRun || error is CommandFailure || StoreMigration.isOvertaken(by: error)
  }

  private static func hashes(_ metadata: [String: Any]) -> [String: Data]? {
    metadata[NSStoreModelVersionHashesKey] as? [String: Data]
  }

  /// - Parameter metadata: the metadata of the store when the command read it last.
  private func migrate(_ metadata: [String: Any]) throws {
    let options = locking.storeOptions
    let versions = try StoreVersions(
      of: store,
      metadata: metadata,
      older: older,
      newer: newer,
      options: options
    )
    guard let source = versions.source else {
      print("\(store) has this version of the model already")
      return
    }
    let plan = try MigrationPlan(from: source, to: versions.destination, mapping: mapping)
    plan.changes.forEach { print($0.onOneLine) }
    if versions.isInStoreAlone, !allowDowngrade { try plan.requireNoLoss(store) }
    try requireDropped(plan)
    let migration = StoreMigration(store: store, plan: plan, options: options)
    if dryRun {
      try migration.rehearse()
      print("\(store) can be migrated")
    } else {
      try migrate(migration)
    }
  }

  /// Checks that the user has named all data that the store would lose.
  private func requireDropped(_ plan: MigrationPlan) throws {
    #if !canImport(Darwin)
      if allowDowngrade { return }
      try StoreLoss(of: store, plan: plan, options: locking.storeOptions).require(store, dropped: dropped)
    #endif
  }

  private func migrate(_ migration: StoreMigration) throws {
    let copy = try backup ? migration.backUp() : nil
    let outcome = Result { try migration.run() }
    if case .failure(let error) = outcome,
      StoreWait.timeout(in: error) != nil || StoreMigration.isOvertaken(by: error)
    {
      // The migration did not begin, and an old copy would only obstruct the next run.
      if let copy { migration.remove(URL(fileURLWithPath: copy)) }
    } else if let copy {
      print("\(store) is kept in \(copy)")
    }
    try outcome.get()
    print("\(store) is migrated")
  }
}
