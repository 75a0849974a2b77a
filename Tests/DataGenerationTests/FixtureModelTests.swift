import CoreData
import DataGeneration
import Foundation
import Seeding
import TestSupport
import Testing

/// Models made by Apple's tools, by their path inside the folder of fixtures.
enum FixtureModels {
  static let paths = SharedFolder.fixtures.filter { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".mom") }

  static func model(_ path: String) -> NSManagedObjectModel? {
    NSManagedObjectModel(contentsOf: SharedFolder.fixture(path))
  }
}

@Suite(
  "Data for Apple-made models",
  .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
)
struct FixtureModelTests {
  @Test("data for every model loads, and all of it is valid", arguments: FixtureModels.paths)
  func loads(path: String) throws {
    // One fixture cannot be read as a model.
    guard let model = FixtureModels.model(path) else { return }
    let names = model.entities.filter { !$0.isAbstract }.compactMap(\.name)
    let counts = Dictionary(names.map { ($0, 30) }) { $1 }
    for seed in [1, 2, 3] as [UInt64] {
      let plan = GenerationPlan(counts: counts, seed: seed)
      let made = try Made(model, plan)
      #expect(made.report.entities.mapValues(\.created) == counts)
      #expect(try Made.seed(model, plan) == made.seed)
    }
  }

  @Test("the fixtures contain models to generate data for")
  func models() {
    #expect(FixtureModels.paths.compactMap(FixtureModels.model).filter { !$0.entities.isEmpty }.count >= 20)
  }
}
