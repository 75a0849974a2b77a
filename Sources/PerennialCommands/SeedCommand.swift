import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed MODEL SEED... --store FILE`, where a seed is a file, a folder or a URL
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once.",
    discussion: """
      The store is made when it is not there. All files go in together, or nothing does. A file that the store \
      took in before is skipped; a changed file is taken in anew, by natural key. What happens to objects that are in \
      the store is the mode: insert adds an object for each record, upsert changes what differs, create-only leaves them \
      as they are, replace deletes all objects of the seed's entities first, and prune, after an upsert, those that the \
      seed has no record of. The format is known by the end of a \
      file's name: .json, .jsonl, .csv, .tsv, .yaml or .plist, each also compressed with .gz behind it; - is standard \
      input, whose format --format tells; a table is of the entity that its file is named after. Of several files of one seed, such as \
      seed.json, seed.nl.json and seed.demo.json, the nearest to --env and --locale is taken.
      """
  )

  @OptionGroup var input: SeedInput

  @Option(help: "The SQLite store to seed.")
  var store: String

  @Option(help: "What happens to objects that are in the store.")
  var mode = SeedMode.upsert

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

  func validate() throws {
    guard !keepGoing || (mode != .replace && mode != .prune) else {
      throw ValidationError(
        "--keep-going: the mode \(mode.rawValue) would delete the objects of records that are left out."
      )
    }
    guard !always || !once else { throw ValidationError("Give --always or --once, not both.") }
  }

  func run() throws {
    var isWhole = true
    try CommandFailure.reporting {
      let report = try dryRun ? preview() : load()
      try style.show(report)
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
    seeder.now = now.date
    return seeder
  }

  private func preview() throws -> SeedReport {
    let preview = try seeder().preview(of: store, model: input.model)
    if !preview.changes.isEmpty { print(preview) }
    return preview.report
  }

  private func load() throws -> SeedReport {
    let model = try ModelFile(input.model).currentModel()
    let seeder = try seeder()
    let opened = try OpenedStore(writing: store, model: model)
    do {
      let progress = Progress(totalUnitCount: 0)
      let report = try style.showing(progress, of: "bytes") {
        try seeder.runAndWait(in: opened.coordinator, progress: progress)
      }
      try compact ? opened.closeCompactly() : opened.close()
      return report
    } catch {
      opened.abandon()
      throw error
    }
  }

  private var policy: SeedPolicy {
    if always { return .always }
    return once ? .oncePerName : .oncePerContent
  }
}
