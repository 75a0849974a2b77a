import ArgumentParser
import CoreData
import Foundation
import Seeding
import Texts

/// `perennial build-store MODEL SEED... -o FILE`
struct BuildStoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build-store",
    abstract: "Make a store from seeds, to be shipped: compact, the same bytes for the same input.",
    discussion: """
      The store is one file, which is vacuumed and analysed, has no journal next to it, and opens where nothing can be \
      written. Values that are large enough for files of their own, of attributes that allow external storage, are in the \
      folder .NAME_SUPPORT next to NAME.sqlite, which is shipped along. The store is made next to the output and takes its \
      place when it is whole. What the store keeps of times is 2001-01-01, or the \
      seconds since 1970 in the environment's SOURCE_DATE_EPOCH. Instead of seeds, postgresql://… makes a file of what a \
      store on a server has. An output that is there is replaced with --force only.
      """
  )

  @Argument(help: SeedInput.modelHelp, completion: .modelFiles) var model: String
  @Argument(help: SeedInput.seedsHelp, completion: .seedFiles) var seeds: [String]
  @OptionGroup(title: "Standard input") var standardInput: StandardInputOptions
  @OptionGroup(title: "Variants") var variant: VariantOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Remote seeds") var remote: RemoteOptions
  @Option(name: .shortAndLong, help: "The SQLite store to make.", completion: .file()) var output: String
  @Flag(help: "Replace a store that is there.") var force = false
  @OptionGroup var now: NowOptions
  @OptionGroup(title: "Output") var style: ProgressStyle
  @OptionGroup(title: "Log") var logging: LogOptions

  private var input: SeedInput {
    SeedInput(seeds: seeds, standardInput: standardInput, variant: variant, limits: limits, remote: remote)
  }

  func validate() throws { try input.check() }

  func run() throws {
    try CommandFailure.reporting(logging) {
      let model = try ModelFile(self.model).currentModel()
      let date = try BuildDate(environment: ProcessInfo.processInfo.environment).date
      #if !canImport(Darwin)
        SaveClock.stop(at: date)
        ExternalDataNames.deriveFromContents()
      #endif
      if let server = input.server {
        try server.check()
        try StoreBuild(output, replaces: force).create(model, from: server, modelPath: self.model)
        if !style.quiet { print("\(output): made of \(server)") }
        return
      }
      var seeder = Seeder(try input.sources())
      seeder.date = date
      seeder.now = now.date ?? date
      let report = try StoreBuild(output, replaces: force).create(model) { coordinator in
        let progress = Progress(totalUnitCount: 0)
        return try style.showing(progress, of: "bytes") { try seeder.runAndWait(in: coordinator, progress: progress) }
      }
      try style.show(report)
    }
  }
}

/// The time that a built store records where it needs one. The time of the build itself would make two
/// builds of the same content differ.
struct BuildDate {
  /// The environment variable from which reproducible builds take their time, see
  /// https://reproducible-builds.org/docs/source-date-epoch/.
  static let variable = "SOURCE_DATE_EPOCH"

  /// The years 0 to 9999, the range of every date in a seed.
  private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  let date: Date

  init(environment: [String: String]) throws {
    guard let text = environment[Self.variable], !text.isEmpty else {
      date = Date(timeIntervalSinceReferenceDate: 0)
      return
    }
    guard let seconds = Int64(text), Self.range.contains(seconds) else {
      throw CommandFailure(
        file: Self.variable,
        problem: "\"\(text.abbreviated)\" is not a number of seconds in the years 0 to 9999",
        remedy: "give whole seconds since 1970, or unset it"
      )
    }
    date = Date(timeIntervalSince1970: Double(seconds))
  }
}
