import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed diff STORE SEED... [--model MODEL] [--profile PROFILE | --mode MODE] [--html FILE | --json | --quiet]`
struct SeedDiffCommand: ParsableCommand {
  static let usage = "perennial seed diff [<options>] <store> <seeds> ..."

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how a store differs from seeds.",
    usage: usage,
    discussion: """
      A line for each object that is not in the store as the seeds have it: + for one that is missing, ~ for one that is \
      different, with what the store has and what the seeds have, - for one that the seeds have no record of, among the \
      entities that they have records of. Records without a natural key are compared by their values. With --profile or --mode \
      the lines are what such a load would change. Nothing in the store is written. The status is 1 when there is a difference. \
      The model is looked for next to the store and in it when none is given. With --html the objects go into a page, one \
      file that can be attached to a review, and nothing is printed.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation

  @Argument(help: "The seed files, folders of them, or - for standard input.", completion: .seedFiles)
  var seeds: [String]

  @OptionGroup(title: "Standard input") var standardInput: StandardInputOptions
  @OptionGroup(title: "Variants") var variant: VariantOptions

  @Option(
    help: "Show what a load by this profile would change. Without it and without --mode, all that differs."
  )
  var profile: SeedProfile?

  @Option(
    help: "Show what a load in this mode would change: \(SeedMode.choice).",
    completion: .list(SeedMode.words),
    transform: { try SeedMode(option: $0) }
  )
  var mode: SeedMode?

  @OptionGroup var now: NowOptions

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(help: "The page to write, instead of the lines.", completion: .file()) var html: String?
  @Flag(help: "Print nothing: the status says whether there is a difference.") var quiet = false
  @Flag(help: "Print the differences in JSON.") var json = false
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    try standardInput.check(seeds)
    guard [quiet, json, html != nil].count(where: \.self) < 2 else {
      throw ValidationError("Give one of --quiet, --json and --html.")
    }
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
    if let profile, let mode {
      try ProfileOptions.check(profile, setting: .mode, option: "--mode \(mode.rawValue)")
    }
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
          ? standardInput.source(SeedLimits())
          : SeedSource.file(URL(fileURLWithPath: seed), variant: variant.variant)
      }
      var seeder = seeder(sources)
      seeder.isComparison = true
      seeder.now = now.date
      let preview = try OpenedStore.reading(store, model: model) { opened in
        try opened.requireAllRows()
        return try comparesAll
          ? seeder.difference(in: opened.coordinator) : seeder.preview(in: opened.coordinator)
      }
      isDifferent = !preview.changes.isEmpty
      if let html {
        try SeedReview.page(preview, store: store.description, seeds: seeds).write(to: html)
      } else if json {
        print(try JSONText.object(SeedDifferenceFields.fields(preview)))
      } else if isDifferent, !quiet {
        print(preview)
      }
    }
    if isDifferent { throw ExitCode(1) }
  }

  private func seeder(_ sources: [SeedSource]) -> Seeder {
    if let profile, !comparesAll { return Seeder(sources, profile: profile, policy: .always) }
    return Seeder(sources, mode: comparesAll ? .upsert : mode ?? .upsert, policy: .always)
  }

  /// True when the whole store is compared, because the mode replaces its content by that of the seeds.
  private var comparesAll: Bool { (profile?.mode ?? mode ?? .replace) == .replace }
}

/// The differences between a store and seeds for `--json`.
enum SeedDifferenceFields {
  static func fields(_ preview: SeedPreview) -> [String: ResultValue] {
    let changes = preview.changes.map { change in
      var fields: [String: ResultValue] = [
        "kind": .text(SeedReview.word(for: change.kind)), "entity": .text(change.entity),
        "name": .text(change.name),
      ]
      if !change.values.isEmpty {
        fields["values"] = .list(
          change.values.map {
            .fields(["property": .text($0.key), "store": .text($0.present), "seeds": .text($0.new)])
          }
        )
      }
      return ResultValue.fields(fields)
    }
    return ["isDifferent": .bool(!changes.isEmpty), "changes": .list(changes)]
  }
}

extension Seeder {
  /// The changes that a seeding run would make in a store, which may not exist yet.
  ///
  /// - Parameter options: the store options, which limit the wait for other programs.
  func preview(of store: StoreLocation, model: String, options: [String: any Sendable]) throws -> SeedPreview {
    guard try store.isTaken(options: options) else {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try ModelFile(model).currentModel())
      try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
      return try preview(in: coordinator)
    }
    return try OpenedStore.reading(store, model: model, options: options) { try preview(in: $0.coordinator) }
  }
}
