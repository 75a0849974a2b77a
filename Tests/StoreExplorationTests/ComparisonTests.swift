import Foundation
import Synchronization
import TestModels
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct ComparisonTests {
  /// Records the progress that a comparison reports.
  private final class Told: Sendable {
    let differences = Mutex<[ObjectDifference]>([])
    var lines: [String] {
      differences.withLock { differences in
        differences.map { difference in
          let values = difference.values.map { "\($0.key) \($0.before) -> \($0.after)" }.joined(
            separator: "; "
          )
          return
            "\(difference.kind.rawValue) \(difference.entity) \(difference.name)\(values.isEmpty ? "" : ": \(values)")"
        }
      }
    }
  }

  private static func compare(
    _ one: GardenStore,
    _ other: GardenStore,
    keys: [String: [String]] = [:],
    mostAtOnce: Int = StoreComparison.mostAtOnce
  ) async throws -> (lines: [String], counts: ComparisonCounts) {
    let comparison = try StoreComparison(
      from: one.coordinator,
      to: other.coordinator,
      keys: keys,
      mostAtOnce: mostAtOnce
    )
    let told = Told()
    let counts = try await comparison.run { difference in told.differences.withLock { $0.append(difference) }
    }
    var sum = ComparisonCounts()
    for one in counts.values { sum.add(one) }
    return (told.lines, sum)
  }

  private static func fill(_ store: GardenStore, isChanged: Bool) throws {
    try store.write { context in
      // The objects are inserted in different orders, so their primary keys differ.
      let names = isChanged ? ["Home", "Work", "New"] : ["Work", "Home", "Old"]
      let categories = Dictionary(
        uniqueKeysWithValues: names.map { ($0, context.add("Category", ["name": $0])) }
      )
      let tags = ["red", "green", "blue"].map { context.add("Tag", ["name": $0]) }
      for number in isChanged ? Array((0..<20).reversed()) : Array(0..<20) {
        let note = context.add(
          "Note",
          [
            "identifier": UUID(uuidString: "00000000-0000-0000-0000-0000000000\(10 + number)"),
            "title": number == 3 && isChanged ? "Changed \"3\"" : "Note \(number)", "rating": number,
            "category": number == 4 && isChanged ? categories["Home"] : categories["Work"],
            "price": NSDecimalNumber(string: "1.10"), "createdAt": Date(timeIntervalSinceReferenceDate: 5),
            "image": Data([1, 2, number == 6 && isChanged ? 4 : 3]),
            "weight": number == 7 && isChanged ? nil : 1.5,
          ]
        )
        note.setValue(Set(number == 5 && isChanged ? [tags[0]] : tags), forKey: "tags")
      }
    }
  }

  private static let expected = [
    "inserted Category New", "deleted Category Old", "changed Note Note 7: weight 1.5 -> nothing",
    "changed Note Note 6: image 3 bytes -> 3 bytes",
    "changed Note Note 5: tags [blue, green, red] -> [red]",
    "changed Note Note 4: category Work -> Home",
    "changed Note Changed \"3\": title \"Note 3\" -> \"Changed \"3\"\"",
  ]

  @Test(arguments: GardenKind.allCases, GardenKind.allCases)
  func `Stores whose objects have other primary keys are compared by what identifies them`(
    one: GardenKind,
    other: GardenKind
  ) async throws {
    let (before, after) = (try GardenStore(one), try GardenStore(other))
    try Self.fill(before, isChanged: false)
    try Self.fill(after, isChanged: true)
    let result = try await Self.compare(before, after)
    #expect(result.lines == Self.expected)
    #expect(result.counts.inserted == 1 && result.counts.deleted == 1 && result.counts.changed == 5)
    #expect(result.counts.same == 2 + 15 + 3)
    let same = try await Self.compare(after, after)
    #expect(same.lines.isEmpty && same.counts.areEqual)
  }

  @Test func `More objects than are held at once are compared in passes, with the same result`() async throws {
    let (before, after) = (try GardenStore(), try GardenStore())
    try Self.fill(before, isChanged: false)
    try Self.fill(after, isChanged: true)
    let result = try await Self.compare(before, after, mostAtOnce: 3)
    #expect(result.lines.sorted() == Self.expected.sorted())
    #expect(result.counts.same == 2 + 15 + 3)
  }

  @Test func `A store and its copy are compared by primary key where nothing else identifies objects`()
    async throws
  {
    let store = try GardenStore()
    try store.write { context in
      for number in 0..<5 { context.add("Comment", ["text": "\(number)"]) }
    }
    try store.close()
    let (before, after) = (try GardenStore(copying: store.url), try GardenStore(copying: store.url))
    try after.write { context in
      try context.one("Comment", "text", "2")?.setValue("two", forKey: "text")
      if let gone = try context.one("Comment", "text", "4") { context.delete(gone) }
      context.add("Comment", ["text": "5"])
    }
    let comparison = try StoreComparison(from: before.coordinator, to: after.coordinator)
    let reasons = Dictionary(uniqueKeysWithValues: comparison.matchings.map { ($0.entity, $0.reason) })
    #expect(reasons["Comment"] == .primaryKey)
    #expect(reasons["Category"] == .model && reasons["Note"] == .customaryName)
    let result = try await Self.compare(before, after)
    #expect(result.lines.contains("changed Comment two: text \"2\" -> \"two\""))
    #expect(result.lines.filter { $0.contains("Comment") }.count == 3)
  }

  @Test func `A key can be chosen, and objects that share one are matched in order`() async throws {
    let (before, after) = (try GardenStore(), try GardenStore())
    for (store, ratings) in [(before, [1, 2, 3]), (after, [1, 2, 4])] {
      try store.write { context in
        for rating in ratings {
          try context.obtainPermanentIDs(for: [context.add("Note", ["title": "same", "rating": rating])])
        }
      }
    }
    let result = try await Self.compare(before, after, keys: ["Note": ["title"]])
    #expect(result.counts.ambiguous == 2 && result.counts.changed == 1)
    #expect(result.lines == ["changed Note same: rating 3 -> 4"])
    #expect {
      try StoreComparison(from: before.coordinator, to: after.coordinator, keys: ["Note": ["titel"]])
    } throws: { "\($0)".contains("correct the key to \"title\"") }
    #expect(throws: ExplorationFailure.self) {
      try StoreComparison(from: before.coordinator, to: after.coordinator, keys: ["Nots": []])
    }
    #expect(throws: ExplorationFailure.self) {
      try StoreComparison(from: before.coordinator, to: after.coordinator, keys: ["Note": ["tags"]])
    }
  }

  @Test func `Stores of different models are refused with the entities that differ`() throws {
    let (one, other) = (
      try GardenStore(.inMemory),
      try GardenStore(.inMemory, model: makeModel([makeEntity("Tag", makeAttribute("label"))]))
    )
    #expect {
      try StoreComparison(from: one.coordinator, to: other.coordinator)
    } throws: { "\($0)".contains("Tag") }
  }

  @Test func `An error of the reader ends the comparison`() async throws {
    let (before, after) = (try GardenStore(), try GardenStore())
    try Self.fill(after, isChanged: true)
    struct Enough: Error {}
    let comparison = try StoreComparison(from: before.coordinator, to: after.coordinator)
    await #expect(throws: Enough.self) { try await comparison.run { _ in throw Enough() } }
  }
}
