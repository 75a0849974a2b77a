import ArgumentParser
import CoreData
import Foundation
import RemoteSeeding
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
      file's name: .json, .jsonl, .csv, .tsv, .yaml or .plist, each also compressed with .gz behind it; a table is of \
      the entity that its file is named after. Of several files of one seed, such as \
      seed.json, seed.nl.json and seed.demo.json, the nearest to --env and --locale is taken.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String

  @Argument(help: "The seed files, folders of them, or http and https URLs.")
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

  @Flag(help: "Leave a compact file that can be shipped: vacuumed, analysed, without a journal.")
  var compact = false

  @OptionGroup(title: "Variants")
  var variant: VariantOptions

  @OptionGroup(title: "Remote seeds")
  var remote: RemoteOptions

  @OptionGroup(title: "Output")
  var style: ProgressStyle

  func validate() throws {
    let remoteSeeds = seeds.filter { RemoteOptions.url($0) != nil }
    if remoteSeeds.count != 1, remote.isForOne {
      throw ValidationError("A checksum, a signature and a fallback are of one URL; give exactly one.")
    }
    guard !always || !once else { throw ValidationError("Give --always or --once, not both.") }
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
  }

  func run() throws {
    try CommandFailure.reporting {
      let model = try ModelFile(model).currentModel()
      let sources = try seeds.map(source)
      let seeder = Seeder(sources, mode: mode, policy: policy)
      guard !dryRun else {
        let preview = try seeder.preview(of: store, model: self.model)
        if !preview.changes.isEmpty { print(preview) }
        return try show(preview.report)
      }
      let opened = try OpenedStore(writing: store, model: model)
      do {
        let progress = Progress(totalUnitCount: 0)
        let report = try style.showing(progress, of: "bytes") {
          try seeder.runAndWait(in: opened.coordinator, progress: progress)
        }
        try compact ? opened.closeCompactly() : opened.close()
        try show(report)
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

  private func source(_ seed: String) throws -> SeedSource {
    let variant = variant.variant
    guard let url = RemoteOptions.url(seed) else {
      return .file(URL(fileURLWithPath: seed), variant: variant)
    }
    let fallback = remote.fallback.map { SeedSource.file(URL(fileURLWithPath: $0), variant: variant) }
    return .url(url, options: try remote.options(), fallback: fallback)
  }

  private func show(_ report: SeedReport) throws {
    for failure in report.seeds.compactMap(\.fetchFailure) {
      try FileHandle.standardError.write(contentsOf: Data("Warning: \(failure)\n".utf8))
    }
    if style.json { return print(try JSONText.object(SeedReportFields.fields(report))) }
    if style.quiet { return }
    for seed in report.seeds where seed.wasSkipped {
      print("\(seed.name) is in the store already")
    }
    print(report.entities.isEmpty ? "no records" : report.description)
  }
}
