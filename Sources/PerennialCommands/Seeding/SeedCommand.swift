public import ArgumentParser
import CoreData
import Foundation
public import Seeding

/// `perennial seed MODEL SEED...` and `perennial seed diff STORE SEED...`
struct SeedCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once, or show how a store differs from them.",
    subcommands: [SeedCommand.self, SeedDiffCommand.self],
    defaultSubcommand: SeedCommand.self
  )
}

/// `perennial seed MODEL SEED... --store FILE`, where a seed is a file, a folder or a URL
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once.",
    discussion: """
      The store is made when it is not there. All files go in together, or nothing does. A file that the store \
      took in last under its name is skipped; another content is taken in, by natural key. What happens to objects that are in \
      the store is the mode: insert adds an object for each record, upsert changes what differs, create-only leaves them \
      as they are, merge changes what the seed has changed and leaves what a user has, replace deletes all objects of the \
      seed's entities first, and prune, after an upsert, those that the seed has no record of; with --prune own only those \
      of them that the seed has made. The format is known by the end of a \
      file's name: .json, .jsonl, .csv, .tsv, .yaml or .plist, each also compressed with .gz behind it; - is standard \
      input, whose format --format tells; a table is of the entity that its file is named after. Of several files of one \
      seed, such as \
      seed.json, seed.nl.json and seed.demo.json, the nearest to --env and --locale is taken.
      """
  )

  @OptionGroup var input: SeedInput

  @Option(help: "The store to seed: a SQLite file, or postgresql://….")
  var store: StoreLocation

  @Option(help: "What happens to objects that are in the store.")
  var mode = SeedMode.upsert

  @Option(help: "Which objects to delete that the seeds have no record of.")
  var prune: SeedPruning?

  @Option(help: "What becomes of a value that both a user and the seed have changed, in the mode merge.")
  var onConflict = SeedConflictPolicy.keepStore

  @Flag(help: "Do not insert again what the seed has made and a user has deleted.")
  var keepDeleted = false

  @Option(
    help: ArgumentHelp("A property that records give to new objects alone.", valueName: "Entity.property"),
    completion: .properties
  )
  var createOnly: [String] = []

  @Flag(help: "Load files again that the store has taken in before.")
  var always = false

  @Flag(help: "Show what would change, and write nothing.")
  var dryRun = false

  @Flag(help: "Skip files whose names the store has taken in before, also when they have changed.")
  var once = false

  @Flag(help: "Leave out records that are wrong, report them, and end with status 1.")
  var keepGoing = false

  @Flag(help: "Leave a compact file that can be shipped: vacuumed, analysed, without a journal.")
  var compact = false

  @OptionGroup var now: NowOptions

  @OptionGroup(title: "Output")
  var style: ProgressStyle

  @OptionGroup(title: "Waiting")
  var locking: LockOptions

  @OptionGroup(title: "Log")
  var logging: LogOptions

  func validate() throws {
    let deletes = mode == .replace || mode == .prune || (prune ?? .none) != .none
    guard !keepGoing || !deletes else {
      throw ValidationError("--keep-going: the objects of records that are left out would be deleted.")
    }
    guard prune == nil || mode != .prune || prune == .all else {
      throw ValidationError("The mode prune deletes all; for --prune own, give another mode or none.")
    }
    for property in createOnly where Self.property(property) == nil {
      throw ValidationError("--create-only \(property): give an entity and a property, such as Note.title.")
    }
    if let server = input.server {
      throw ValidationError("\(server): a store is no seed; copy it with perennial copy, or dump it first.")
    }
    guard !compact || !store.isOnServer else {
      throw ValidationError("--compact is of a file; a server keeps its own.")
    }
    guard !always || !once else { throw ValidationError("Give --always or --once, not both.") }
  }

  func run() throws {
    var isWhole = true
    try CommandFailure.reporting(logging, locking.wait(for: store, isQuiet: style.quiet)) {
      let report = try dryRun ? preview() : load()
      try style.show(
        report,
        skipping: once ? "; changed or not, --once skips it" : "; --always takes it in again"
      )
      isWhole = report.total.failed == 0
    }
    if !isWhole { throw ExitCode(1) }
  }

  private func seeder() throws -> Seeder {
    var seeder = Seeder(
      try input.sources(),
      mode: mode,
      policy: policy,
      onFailure: keepGoing ? .skipRecord : .stop
    )
    seeder.pruning = prune ?? .none
    seeder.conflictPolicy = onConflict
    seeder.restoresDeletedObjects = !keepDeleted
    for (entity, name) in createOnly.compactMap(Self.property) {
      seeder.createOnly[entity, default: []].insert(name)
    }
    seeder.now = now.date
    return seeder
  }

  private static func property(_ argument: String) -> (entity: String, name: String)? {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? (parts[0], parts[1]) : nil
  }

  private func preview() throws -> SeedReport {
    let preview = try seeder().preview(of: store, model: input.model, options: locking.storeOptions)
    if !preview.changes.isEmpty { print(preview) }
    return preview.report
  }

  private func load() throws -> SeedReport {
    let model = try ModelFile(input.model).currentModel()
    let seeder = try seeder()
    let opened = try OpenedStore(writing: store, model: model, options: locking.storeOptions)
    let report: SeedReport
    do {
      let progress = Progress(totalUnitCount: 0)
      report = try style.showing(progress, of: "bytes") {
        try seeder.runAndWait(in: opened.coordinator, progress: progress)
      }
    } catch {
      opened.abandon(after: error)
      throw error
    }
    do {
      try compact ? opened.closeCompactly() : opened.close()
    } catch {
      throw CommandFailure(
        store,
        "the seeds are in the store, which could not be \(compact ? "made compact" : "closed"): \(ErrorWords.describe(error))",
        remedy: compact ? "correct the cause, and give the command once more" : nil,
        cause: error
      )
    }
    return report
  }

  private var policy: SeedPolicy {
    if always { return .always }
    return once ? .oncePerName : .oncePerContent
  }
}

extension SeedMode: ExpressibleByArgument {}

extension SeedPruning: ExpressibleByArgument {}

extension SeedConflictPolicy: ExpressibleByArgument {}
