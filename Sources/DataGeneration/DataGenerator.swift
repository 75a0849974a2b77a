public import CoreData
import Files
public import Foundation
import Seeding

/// Generates data for a model: plausible values that fulfil its rules, and objects with the links that it requires.
///
/// ```swift
/// let plan = GenerationPlan(
///   counts: ["Note": 1_000, "Tag": 20],
///   fanOuts: ["Note.tags": 3...3],
///   seed: 42
/// )
/// try DataGenerator(model: model, plan: plan).write(to: url)
/// ```
///
/// A value follows from the attribute's type, its validation rules, the uniqueness constraints, hints in its user info
/// (`generate.values`, `generate.as`, `generate.absent`, and `generate.fanOut` of relationships), and its name. The
/// same model and plan give the same bytes, in each process and on each machine, as long as `version` is the same.
/// Every record follows from its number alone, so that memory does not grow with the number of records.
public struct DataGenerator {
  /// The version increases whenever the same plan gives other data than before.
  public static let version = 3

  /// The entities to create objects of, in the order of creation, with the numbers of objects.
  public let counts: [(entity: String, count: Int)]

  /// The attributes without values and the entities without objects, because these cannot be
  /// generated. Everything else is generated.
  ///
  /// ```swift
  /// let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
  /// for omission in generator.omissions { print(omission.place, omission.problem) }
  /// ```
  public var omissions: [GenerationError] { planner.omissions }

  /// The entities in the plan for which objects cannot be generated, by name.
  package var excludedEntities: [String] { planner.excluded.sorted() }

  /// Kept, because entities and relationships do not keep the model that they are of.
  private let model: NSManagedObjectModel
  private let planner: GenerationPlanner

  /// The number of bytes that are buffered before they are written.
  private static let chunk = 1 << 16

  /// Plans the data.
  ///
  /// ```swift
  /// let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
  /// for (entity, count) in generator.counts { print(entity, count) }  // Song 12
  /// ```
  ///
  /// - Throws: A `GenerationError` for a plan that the model does not allow, and if nothing can be generated.
  public init(model: NSManagedObjectModel, plan: GenerationPlan) throws(GenerationError) {
    self.model = model
    planner = try GenerationPlanner(model: model, plan: plan)
    counts = planner.plans.map { ($0.name, Int(clamping: $0.count)) }
  }

  /// Writes the data as a seed.
  /// - Parameters:
  ///   - format: The seed's format.
  ///   - progress: Counts the records, and stops the work when it is cancelled, by a `CocoaError`
  ///     with the code `userCancelled`.
  ///   - write: Gets the seed's bytes, a part at a time.
  /// - Throws: The errors of `write`, a `GenerationError` for a value that cannot be made, and the
  ///   error of a progress that was cancelled.
  public func write(as format: GeneratedSeedFormat, progress: Progress? = nil, _ write: (Data) throws -> Void) throws {
    progress?.totalUnitCount = Int64(clamping: counts.reduce(0) { $0 + $1.count })
    var json = JSONWriter()
    var done: Int64 = 0
    func flush() throws {
      try write(Data(json.bytes))
      json.removeAll()
      progress?.completedUnitCount = done
      if progress?.isCancelled == true { throw CocoaError(.userCancelled) }
    }
    // The values are the model's own: transformers that the user info names are for other seeds.
    let isPlain = SeedAnnotations.areIn(model)
    switch format {
    case .json: json.write(raw: isPlain ? "{\n\"$plain\": true" : "{")
    case .jsonLines: if isPlain { json.write(raw: "{\"$plain\": true}\n") }
    }
    for (index, plan) in planner.plans.enumerated() {
      if format == .json { Self.begin(plan.name, isFirst: index == 0 && !isPlain, json: &json) }
      for number in 0..<plan.count {
        Self.write(
          try plan.record(number, references: planner.references),
          of: plan.name,
          format: format,
          isFirst: number == 0,
          json: &json
        )
        done += 1
        if json.bytes.count >= Self.chunk { try flush() }
      }
      if format == .json { json.write(raw: "\n]") }
    }
    if format == .json { json.write(raw: "\n}\n") }
    try flush()
  }

  private static func begin(_ entity: String, isFirst: Bool, json: inout JSONWriter) {
    isFirst ? json.write(raw: "\n") : json.write(raw: ",\n")
    json.write(entity)
    json.write(raw: ": [")
  }

  private static func write(
    _ fields: [GeneratedValue.Field],
    of entity: String,
    format: GeneratedSeedFormat,
    isFirst: Bool,
    json: inout JSONWriter
  ) {
    switch format {
    case .json:
      isFirst ? json.write(raw: "\n") : json.write(raw: ",\n")
      json.write(fields)
    case .jsonLines:
      json.write([.init(key: "$entity", value: .text(entity))] + fields)
      json.write(raw: "\n")
    }
  }

  /// Writes the data into a file, which appears only when it is complete. A device or a pipe is written to directly.
  /// - Parameters:
  ///   - url: The file of the seed.
  ///   - format: The seed's format; nil for the format of the file name's ending.
  ///   - progress: Counts the records, and stops the work when it is cancelled, by a `CocoaError`
  ///     with the code `userCancelled`.
  /// - Throws: A `GenerationError` if the format is unknown, and for a value that cannot be
  ///   generated; the system's error if the file cannot be written.
  public func write(to url: URL, as format: GeneratedSeedFormat? = nil, progress: Progress? = nil) throws {
    guard let format = format ?? GeneratedSeedFormat(fileName: url.lastPathComponent) else {
      throw GenerationError(
        place: url.lastPathComponent,
        problem: "the end of the name tells no format",
        remedy: "give a name that ends in .json or .jsonl"
      )
    }
    let file = try FileOutput(url)
    try write(as: format, progress: progress) { try file.write($0) }
    try file.finish()
  }
}
