import CoreData
import DataGeneration
import Foundation
import TestSupport
import Testing

@Suite("Examples of data that are made for a model")
struct DataGenerationExamples {
  private let folder: TestFolder
  private var model: NSManagedObjectModel { ExampleModel.shared }

  init() throws { folder = try TestFolder() }

  @Test("a plan says how many objects there are, and how they are linked")
  func generator() throws {
    let url = folder.url.appendingPathComponent("notes.jsonl")
    // example: DataGenerator.swift struct DataGenerator
    let plan = GenerationPlan(
      counts: ["Note": 1_000, "Tag": 20],
      fanOuts: ["Note.tags": 3...3],
      seed: 42
    )
    try DataGenerator(model: model, plan: plan).write(to: url)
    // end
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text.split(separator: "\n").count >= 1_020)
  }

  @Test("the same plan makes the same bytes")
  func plan() throws {
    // example: GenerationPlan.swift struct GenerationPlan
    let plan = GenerationPlan(counts: ["Plant": 3], seed: 7)
    var (first, second) = (Data(), Data())
    try DataGenerator(model: model, plan: plan).write(as: .json) { first += $0 }
    try DataGenerator(model: model, plan: plan).write(as: .json) { second += $0 }
    print(first == second)  // true
    // end
    #expect(first == second && !first.isEmpty)
  }

  @Test("a generator knows how many objects it makes")
  func counts() throws {
    // example: DataGenerator.swift init(model: NSManagedObjectModel
    let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
    for (entity, count) in generator.counts { print(entity, count) }  // Song 12
    // end
    #expect(generator.counts.map(\.count) == [12])
  }

  @Test("a generator names what it cannot make")
  func omissions() throws {
    // example: DataGenerator.swift var omissions
    let generator = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Song": 12]))
    for omission in generator.omissions { print(omission.place, omission.problem) }
    // end
    #expect(generator.omissions.isEmpty)
  }

  @Test("a plan that cannot be carried out says why")
  func error() {
    // example: GenerationError.swift struct GenerationError
    do {
      _ = try DataGenerator(model: model, plan: GenerationPlan(counts: ["Nite": 12]))
    } catch {
      print(error.place, error.problem, error.remedy)
    }
    // end
    #expect(throws: GenerationError.self) {
      try DataGenerator(model: model, plan: GenerationPlan(counts: ["Nite": 12]))
    }
  }

  @Test("the name of a file tells the format")
  func format() {
    // example: GeneratedSeedFormat.swift init?(fileName
    let format = GeneratedSeedFormat(fileName: "notes.jsonl")
    print(format == .jsonLines)  // true
    // end
    #expect(format == .jsonLines && GeneratedSeedFormat(fileName: "notes.txt") == nil)
  }
}
