import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed MODEL SEED... --store FILE [--dry-run]`
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load seed files into a store, each file once.",
    discussion: """
      The store is made when it is not there. All files go in together, or nothing does. A file that the store \
      took in before is skipped; a changed file is taken in anew, by natural key. What happens to objects that are in \
      the store is the mode: insert adds an object for each record, upsert changes what differs, create-only leaves them \
      as they are, replace deletes all objects of the seed's entities first, and prune, after an upsert, those that the \
      seed has no record of. The format is known by the end of a \
      file's name: .json, .jsonl, .csv, .tsv, .yaml or .plist, each also compressed with .gz behind it; a table is of \
      the entity that its file is named after.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String

  @Argument(help: "The seed files, or folders of them.")
  var seeds: [String]

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

  func validate() throws {
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
    guard !always || !once else { throw ValidationError("Give --always or --once, not both.") }
  }

  func run() throws {
    try CommandFailure.reporting {
      let model = try ModelFile(model).currentModel()
      let sources = seeds.map { SeedSource.file(URL(fileURLWithPath: $0)) }
      guard !dryRun else {
        let preview = try Seeder(sources, mode: mode, policy: policy).preview(of: store, model: self.model)
        if !preview.changes.isEmpty { print(preview) }
        return show(preview.report)
      }
      let opened = try OpenedStore(writing: store, model: model)
      do {
        let report = try Seeder(sources, mode: mode, policy: policy)
          .runAndWait(in: opened.coordinator)
        try opened.close()
        show(report)
      } catch {
        opened.abandon()
        throw error
      }
    }
  }

  private var policy: SeedPolicy {
    if always { return .always }
    return once ? .oncePerName : .oncePerContent
  }

  private func show(_ report: SeedReport) {
    for seed in report.seeds where seed.wasSkipped {
      print("\(seed.name) is in the store already")
    }
    print(report.entities.isEmpty ? "no records" : report.description)
  }
}
