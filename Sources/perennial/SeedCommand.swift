import ArgumentParser
import CoreData
import Foundation
import Seeding

/// `perennial seed MODEL SEED... --store FILE`
struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: "Load seed files into a store, each file once.",
    discussion: """
      The store is made when it is not there. All files go in with one save, or nothing does. A file that the store \
      took in before is skipped; a changed file is taken in anew, by natural key. The format is known by the end of a \
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

  @Flag(help: "Load files again that the store has taken in before.")
  var always = false

  func validate() throws {
    guard !seeds.isEmpty else { throw ValidationError("Give at least one seed file.") }
  }

  func run() throws {
    try CommandFailure.reporting {
      let model = try ModelFile(model).currentModel()
      let sources = seeds.map { SeedSource.file(URL(fileURLWithPath: $0)) }
      let opened = try OpenedStore(writing: store, model: model)
      do {
        let report = try Seeder(sources, policy: always ? .always : .oncePerContent)
          .runAndWait(in: opened.coordinator)
        try opened.close()
        show(report)
      } catch {
        opened.abandon()
        throw error
      }
    }
  }

  private func show(_ report: SeedReport) {
    for seed in report.seeds where seed.wasSkipped {
      print("\(seed.name) is in the store already")
    }
    print(report.entities.isEmpty ? "no records" : report.description)
  }
}
