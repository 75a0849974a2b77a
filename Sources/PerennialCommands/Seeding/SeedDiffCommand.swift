import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed diff STORE SEED... [--model MODEL] [--html FILE]`
struct SeedDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how a store differs from seeds.",
    usage: "perennial seed diff [<options>] <store> <seeds> ...",
    discussion: """
      A line for each object that is not in the store as the seeds have it: + for one that is missing, ~ for one that is \
      different, with what the store has and what the seeds have, - for one that the seeds have no record of, among the \
      entities that they have records of. Nothing in the store is written. The status is 1 when there is a difference. \
      The model is looked for beside the store and in it when none is given. With --html the objects go into a page, one \
      file that can be attached to a review, and nothing is printed.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….")
  var store: StoreLocation

  @Argument(help: "The seed files, folders of them, or - for standard input.", completion: .seedFiles)
  var seeds: [String]

  @OptionGroup(title: "Standard input")
  var standardInput: StandardInputOptions

  @OptionGroup var now: NowOptions

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(help: "The page to write, in place of the lines.", completion: .file())
  var html: String?

  @OptionGroup(title: "Log")
  var logging: LogOptions

  func validate() throws {
    try standardInput.check(seeds)
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
    for seed in seeds where seed.contains("://") {
      throw ValidationError(
        "\(seed): give a file; what a URL would change is shown by perennial seed with --always --dry-run."
      )
    }
  }

  func run() throws {
    var isDifferent = false
    try CommandFailure.reporting(logging) {
      let sources = seeds.map { seed in
        seed == StandardInputOptions.argument
          ? standardInput.source(SeedLimits()) : SeedSource.file(URL(fileURLWithPath: seed))
      }
      var seeder = Seeder(sources, mode: .prune, policy: .always)
      seeder.isComparison = true
      seeder.now = now.date
      let preview = try OpenedStore.reading(store, model: model) { opened in
        try opened.requireAllRows()
        return try seeder.preview(in: opened.coordinator)
      }
      isDifferent = !preview.changes.isEmpty
      if let html {
        try SeedReview.page(preview, store: store.description, seeds: seeds).write(to: html)
      } else if isDifferent {
        print(preview)
      }
    }
    if isDifferent { throw ExitCode(1) }
  }
}

extension Seeder {
  /// The changes that a run would make in a store, which may not be there yet.
  ///
  /// - Parameter options: the options of the store, for the time that it waits for others.
  func preview(of store: StoreLocation, model: String, options: [String: any Sendable]) throws -> SeedPreview
  {
    guard try store.isTaken(options: options) else {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try ModelFile(model).currentModel())
      try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
      return try preview(in: coordinator)
    }
    return try OpenedStore.reading(store, model: model, options: options) {
      try preview(in: $0.coordinator)
    }
  }
}
