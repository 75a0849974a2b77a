import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Unique values besides the natural key")
struct UniqueValueTests {
  private static func model() -> NSManagedObjectModel {
    let slot = makeEntity(
      "Slot",
      makeAttribute("code", .stringAttributeType),
      makeAttribute("rank", .integer32AttributeType)
    )
    slot.uniquenessConstraints = [["code"], ["rank"]]
    return makeModel([slot])
  }

  private func slots(_ ranks: KeyValuePairs<String, Int>) -> String {
    "{\"slots\": [\(ranks.map { "{\"code\": \"\($0.key)\", \"rank\": \($0.value)}" }.joined(separator: ", "))]}"
  }

  @Test(
    "unique values can move between records, back and in exchange, in any order of the records",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func moved(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["seed.json": slots(["a": 1, "b": 2, "c": 3])], mode: mode)
    let versions: [KeyValuePairs<String, Int>] = [
      ["n": 1, "a": 2, "b": 3, "c": 4], ["c": 1, "b": 2, "a": 3, "n": 4], ["a": 4, "n": 3, "b": 1, "c": 2],
      ["a": 2, "b": 3, "c": 1, "n": 4],
    ]
    for version in versions {
      try way.seed(store, ["seed.json": slots(version)], mode: mode)
      #expect(try store.lines("Slot", "code", "rank") == version.map { "\($0.key)|\($0.value)" }.sorted())
    }
  }

  @Test(
    "a unique value that two records have is an error, and nothing is imported",
    arguments: SeedWay.allCases
  )
  func broken(way: SeedWay) throws {
    let store = try way.store(Self.model())
    try way.seed(store, ["seed.json": slots(["a": 1, "b": 2])])
    for version in [slots(["a": 2, "b": 2]), slots(["a": 2, "c": 3]), slots(["c": 1])] {
      #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": version]) }
      #expect(try store.lines("Slot", "code", "rank") == ["a|1", "b|2"])
    }
  }
}
