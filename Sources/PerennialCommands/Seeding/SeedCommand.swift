import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed MODEL SEED...` and `perennial seed diff STORE SEED...`
struct SeedCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once, or show how a store differs from them.",
    usage: "\(SeedCommand.usage)\n\(SeedDiffCommand.usage)",
    subcommands: [SeedCommand.self, SeedDiffCommand.self],
    defaultSubcommand: SeedCommand.self
  )
}

/// `perennial seed MODEL SEED... --store FILE`, where a seed is a file, a folder or a URL
struct SeedCommand: ParsableCommand {
  static let usage = "perennial seed [<options>] <model> <seeds> ... --store <store>"

  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once.",
    usage: usage,
    discussion: """
      The store is made when it is not there. All files go in together, or nothing does. A file that the store \
      took in last under its name is skipped; another content is taken in, by natural key.

      What that does to objects that users have changed or deleted is the profile. With reference, the store follows the \
      seeds. With starter, they add what is new and leave all that is there. With sync, what a seed has changed is taken, what \
      a user has changed stays, and what a user has deleted stays deleted. With reset, all objects of the seeds' entities are \
      deleted and made again, which takes --force unless PERENNIAL_ENVIRONMENT is development. reference and sync delete what \
      a seed has made and does not bring any more. --mode, --prune and --keep-deleted are the settings of profiles one by one.

      The format is known by the end of a file's name: .json, .jsonl, .csv, .tsv, .yaml or .plist, each also compressed with \
      .gz behind it; - is standard input, whose format --format tells; a table is of the entity that its file is named after. \
      Of several files of one seed, such as seed.json, seed.nl.json and seed.demo.json, the nearest to --env and --locale is \
      taken. perennial seed diff shows how a store differs from seeds.
      """
  )

  @Argument(help: SeedInput.modelHelp, completion: .modelFiles) var model: String
  @Argument(help: SeedInput.seedsHelp, completion: .seedFiles) var seeds: [String]
  @OptionGroup(title: "Standard input") var standardInput: StandardInputOptions
  @OptionGroup(title: "Variants") var variant: VariantOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Remote seeds") var remote: RemoteOptions
  @Option(help: "The store to seed: a SQLite file, or postgresql://….") var store: StoreLocation
  @OptionGroup(title: "Changes of users") var settings: ProfileOptions
  @Flag(help: "Load files again that the store has imported before.") var always = false
  @Flag(help: "Show what would change, and write nothing.") var dryRun = false

  @Flag(help: "Skip files whose names the store has imported before, even if they have changed.")
  var once = false

  @Flag(help: "Leave out records that are wrong, report them, and end with status 1.") var keepGoing = false

  @Flag(help: "Leave a compact file that can be shipped: vacuumed, analysed, without a journal.")
  var compact = false

  @OptionGroup var now: NowOptions
  @OptionGroup(title: "Output") var style: ProgressStyle
  @OptionGroup(title: "Waiting") var locking: LockOptions
  @OptionGroup(title: "Log") var logging: LogOptions

  private var input: SeedInput {
    SeedInput(seeds: seeds, standardInput: standardInput, variant: variant, limits: limits, remote: remote)
  }

  func validate() throws {
    try input.check()
    if let deletion = settings.deletion, keepGoing {
      throw ValidationError("--keep-going: with \(deletion) the objects of records that are left out would be deleted.")
    }
    if once, let profile = settings.profile { try ProfileOptions.check(profile, setting: .once, option: "--once") }
    if let server = input.server {
      throw ValidationError("\(server): a store is not a seed; use perennial copy, or dump it first.")
    }
    guard !compact || !store.isOnServer else {
      throw ValidationError("--compact is of a file; a server keeps its own.")
    }
    guard !always || !once else { throw ValidationError("Give --always or --once, not both.") }
  }

  func run() throws {
    var isWhole = true
    try CommandFailure.reporting(logging, wait: locking.wait(for: store, isQuiet: style.quiet)) {
      let report = try dryRun ? preview() : load()
      try style.show(report, skipping: once ? "; changed or not, --once skips it" : "; --always takes it in again")
      isWhole = report.total.failed == 0
    }
    if !isWhole { throw ExitCode(1) }
  }

  private func seeder() throws -> Seeder {
    var seeder = settings.seeder(try input.sources(), policy: policy, onFailure: keepGoing ? .skipRecord : .stop)
    seeder.now = now.date
    return seeder
  }

  private func preview() throws -> SeedReport {
    let preview = try seeder().preview(of: store, model: model, options: locking.storeOptions)
    if !preview.changes.isEmpty { print(preview) }
    return preview.report
  }

  private func load() throws -> SeedReport {
    let model = try ModelFile(self.model).currentModel()
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
        store: store,
        problem:
          "the seeds are in the store, which could not be \(compact ? "made compact" : "closed"): \(ErrorWords.describe(error))",
        remedy: compact ? "correct the cause, and give the command once more" : nil,
        cause: error
      )
    }
    return report
  }

  /// The policy that the user chose; nil for the profile's policy.
  private var policy: SeedPolicy? {
    if always { return .always }
    return once ? .oncePerName : nil
  }
}
