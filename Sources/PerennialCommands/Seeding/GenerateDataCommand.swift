import ArgumentParser
import CoreData
import DataGeneration
import Foundation
import Seeding

/// `perennial generate-data MODEL --count Note=1000000 --seed 42 (-o FILE | --store STORE)`
struct GenerateDataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-data",
    abstract: "Make plausible data for a model, as a seed file or straight into a store.",
    usage: "perennial generate-data --count <Entity=number> ... [<options>] <model>",
    discussion: """
      Values come from the attributes' types, validation rules, uniqueness constraints and names, and from hints in \
      their user info: generate.values, generate.as, generate.absent; generate.fanOut of relationships. Entities that \
      others have to be linked to, by the model or by --fan-out, get objects without being named. An attribute, or an \
      entity, that cannot be made is left out and named on standard error; when --count names such an entity, the status is \
      1. The same model, counts and seed give the same bytes.
      """
  )

  @Argument(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String

  @Option(
    help: ArgumentHelp("How many objects of an entity; for several entities.", valueName: "Entity=number"),
    completion: .entityCounts
  )
  var count: [String]

  @Option(
    help: ArgumentHelp(
      "How many objects a to-many relationship leads to: 3, or 1-5.",
      valueName: "Entity.relationship=number"
    ),
    completion: .relationshipCounts
  )
  var fanOut: [String] = []

  @Option(help: "The number that all values follow from.") var seed: UInt64 = 0

  @Option(name: .shortAndLong, help: "The seed file to write: .json or .jsonl.", completion: .file())
  var output: String?

  @Option(help: "The store to fill: a SQLite file, or postgresql://….") var store: StoreLocation?
  @OptionGroup var style: ProgressStyle
  @OptionGroup(title: "Waiting") var locking: LockOptions
  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    guard (output == nil) != (store == nil) else { throw ValidationError("Give either --output or --store.") }
    guard store != nil || locking.lockTimeout == nil else {
      throw ValidationError("--lock-timeout is of a store; give one with --store.")
    }
    _ = try plan()
    if let output, GeneratedSeedFormat(fileName: output) == nil {
      throw ValidationError("The output's name has to end in .json or .jsonl.")
    }
  }

  func run() throws {
    var isWhole = true
    let wait = store.map { locking.wait(for: $0, isQuiet: style.quiet) }
    try CommandFailure.reporting(logging, wait: wait) {
      let model = try ModelFile(model).currentModel()
      let generator = try DataGenerator(model: model, plan: try plan())
      for omission in generator.omissions { warn("Warning: left out: \(omission)") }
      isWhole = try !plan().counts.keys.contains(where: generator.excludedEntities.contains)
      var seeded: SeedReport?
      if let output {
        try write(generator, to: URL(fileURLWithPath: output))
      } else if let store {
        seeded = try fill(store, model: model, generator: generator)
      }
      try report(generator, seeded: seeded)
    }
    if !isWhole { throw ExitCode(1) }
  }

  private func plan() throws -> GenerationPlan {
    let counts = try count.map { text in
      guard let (name, number) = Self.pair(text), let count = Int(number), count >= 0 else {
        throw ValidationError("--count \(text): give an entity and a number, such as Note=1000.")
      }
      return (name, count)
    }
    let fanOuts = try fanOut.map { text in
      guard let (name, number) = Self.pair(text), let range = FanOutText.range(number) else {
        throw ValidationError("--fan-out \(text): give a relationship and a number, such as Note.tags=3.")
      }
      return (name, range)
    }
    return GenerationPlan(
      counts: Dictionary(counts) { $1 },
      fanOuts: Dictionary(fanOuts) { $1 },
      seed: seed
    )
  }

  private static func pair(_ text: String) -> (String, String)? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  private func write(_ generator: DataGenerator, to url: URL) throws {
    let progress = Progress(totalUnitCount: 0)
    try style.showing(progress, of: "records") { try generator.write(to: url, progress: progress) }
  }

  /// Fills the store from a seed in a temporary file, which is loaded like any other seed.
  private func fill(_ store: StoreLocation, model: NSManagedObjectModel, generator: DataGenerator) throws
    -> SeedReport
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("generated-\(seed).jsonl")
    try write(generator, to: file)
    var source = SeedSource.file(file)
    source.name = file.lastPathComponent
    let opened = try OpenedStore(writing: store, model: model, options: locking.storeOptions)
    do {
      let progress = Progress(totalUnitCount: 0)
      let report = try style.showing(progress, of: "bytes") {
        try Seeder(source, policy: .always).runAndWait(in: opened.coordinator, progress: progress)
      }
      try opened.close()
      return report
    } catch {
      opened.abandon(after: error)
      throw error
    }
  }

  /// - Parameter seeded: The report on loading the records. The store may have had some of the objects already.
  private func report(_ generator: DataGenerator, seeded: SeedReport?) throws {
    let counts = generator.counts.sorted { $0.entity < $1.entity }.map { entity, count in
      let created = seeded.map { $0.entities[entity]?.created ?? 0 } ?? count
      return (entity: entity, count: created, present: count - created)
    }
    if style.json {
      let entities = counts.map { ($0.entity, ResultValue.integer(Int64($0.count))) }
      let fields: [String: ResultValue] = [
        "entities": .fields(Dictionary(entities) { $1 }), "seed": .text(String(seed)),
        "version": .integer(Int64(DataGenerator.version)),
      ]
      print(try JSONText.object(fields))
    } else if !style.quiet {
      for (entity, count, present) in counts {
        print("\(entity): \(count) made" + (present > 0 ? ", \(present) in the store already" : ""))
      }
    }
  }
}
