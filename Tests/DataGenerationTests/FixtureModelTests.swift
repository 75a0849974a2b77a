import CoreData
import DataGeneration
import Foundation
import Seeding
import Testing

/// The folder with models made by Apple's tools, beside the package.
enum FixtureModels {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/fixtures")

  static let available = FileManager.default.fileExists(atPath: folder.path)

  /// The models' paths inside the folder.
  static let paths: [String] = {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".mom") }.sorted()
  }()

  static func model(_ path: String) -> NSManagedObjectModel? {
    NSManagedObjectModel(contentsOf: folder.appendingPathComponent(path))
  }
}

@Suite(
  "Data for Apple-made models",
  .enabled(if: FixtureModels.available, "the folder shared is not beside the package")
)
struct FixtureModelTests {
  @Test("data for every model loads, and all of it is valid", arguments: FixtureModels.paths)
  func loads(path: String) throws {
    // One fixture is no model.
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

  @Test("there are models to make data for")
  func models() {
    #expect(FixtureModels.paths.compactMap(FixtureModels.model).filter { !$0.entities.isEmpty }.count >= 20)
  }
}
