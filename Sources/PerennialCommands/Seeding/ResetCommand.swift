import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial reset STORE [SEED...] [--model MODEL]`
struct ResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Destroy a store, create it again, and seed it.",
    usage: "perennial reset [<options>] <store> [<seeds> ...]",
    discussion: """
      All objects, the history and the ledger of seeds are gone afterwards; the seeds are checked before. It is refused \
      while another program has the store open, which is known of SQLite stores in WAL mode by the locks on their files, and \
      unknown of stores on a server: --force destroys those too. The store is created by the model that is given, or else by \
      the current version of the one in its folder, or else by the one in it.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation

  @Argument(help: "The seed files, or folders of them; without any the store is empty.", completion: .seedFiles)
  var seeds: [String] = []

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Flag(help: "Destroy the store while other programs have it open, too.") var force = false
  @OptionGroup(title: "Variants") var variant: VariantOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup var now: NowOptions
  @OptionGroup(title: "Output") var style: ProgressStyle
  @OptionGroup(title: "Waiting") var locking: LockOptions
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    for seed in seeds where seed.contains("://") || seed == StandardInputOptions.argument {
      throw ValidationError(
        "\(seed): give a file, which is read twice; a URL is fetched by perennial seed, after the reset."
      )
    }
  }

  func run() throws {
    try CommandFailure.reporting(logging, wait: locking.wait(for: store, isQuiet: style.quiet)) {
      if let report = try reset() {
        try style.show(report)
      } else if !style.quiet, !style.json {
        print("\(store): empty")
      }
    }
  }

  /// Resets the store and loads the seeds; nil without seeds.
  private func reset() throws -> SeedReport? {
    let model = try currentModel()
    let seeder = seeder()
    try check(seeder, model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = locking.storeOptions
    let place = StoreReset.Place(type: store.storeType, url: store.url, options: options)
    try StoreReset(coordinator: coordinator, places: [place], force: force).perform()
    defer { for opened in coordinator.persistentStores { try? coordinator.remove(opened) } }
    if seeds.isEmpty { return nil }
    let progress = Progress(totalUnitCount: 0)
    return try style.showing(progress, of: "bytes") { try seeder.runAndWait(in: coordinator, progress: progress) }
  }

  private func seeder() -> Seeder {
    let sources = seeds.map { seed in
      var source = SeedSource.file(URL(fileURLWithPath: seed), variant: variant.variant)
      source.limits = limits.limits
      return source
    }
    var seeder = Seeder(sources)
    seeder.now = now.date
    return seeder
  }

  /// Reports errors in a seed before the store is destroyed.
  private func check(_ seeder: Seeder, model: NSManagedObjectModel) throws {
    if seeds.isEmpty { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    _ = try seeder.preview(in: coordinator)
  }

  /// The given model, the one next to the store, or the one in it.
  private func currentModel() throws -> NSManagedObjectModel {
    // Reading the metadata fails for a file that is not a store, which must not be destroyed.
    let metadata = try ClosedStore.metadata(of: store, options: locking.storeOptions)
    if let model { return try ModelFile(model).currentModel() }
    if let found = ModelSearch.adjacent(to: store, metadata: metadata) {
      return try ModelFile(found.path).currentModel()
    }
    if let model = CachedModel.read(store, options: locking.storeOptions, metadata: metadata) { return model }
    throw CommandFailure(
      store: store,
      problem: "there is no model of this store in its folder or in it",
      remedy: "give one with --model"
    )
  }
}
