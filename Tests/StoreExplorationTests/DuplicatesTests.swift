import Foundation
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct DuplicatesTests {
  private static func store(_ kind: GardenKind) throws -> GardenStore {
    let store = try GardenStore(kind)
    try store.write { context in
      let work = context.add("Category", ["name": "Work"])
      for (title, rating, hasCategory) in [
        ("a", 1, true), ("a", 1, true), ("a", 2, true), ("b", 1, false), ("b", 1, false), ("c", 3, true),
      ] {
        context.add(
          "Note",
          [
            "title": title, "rating": rating, "category": hasCategory ? work : nil,
            "createdAt": Date(timeIntervalSinceReferenceDate: Double(rating) * 86_400),
          ]
        )
      }
      for _ in 0..<3 { context.add("Note") }
    }
    return store
  }

  @Test(
    arguments: GardenKind.allCases,
    [
      (["title"], [(["a"], 3), (["b"], 2)]), (["title", "rating"], [(["a", "1"], 2), (["b", "1"], 2)]),
      (["category"], [(["Work"], 4)]), (["createdAt"], [(["2001-01-02 00:00:00Z"], 4)]),
      (["body"], []), (["title", "category"], [(["a", "Work"], 3)]),
    ] as [([String], [([String], Int)])]
  )
  func `Values of several objects are found with a predicate that finds these objects`(
    kind: GardenKind,
    example: (properties: [String], groups: [(labels: [String], count: Int)])
  ) async throws {
    let store = try Self.store(kind)
    let duplicates = try Duplicates(of: "Note", by: example.properties, in: store.coordinator)
    let answer = try await duplicates.groups(within: .seconds(3600))
    let found = answer.groups.sorted { $0.labels.joined() < $1.labels.joined() }
    #expect(found.map(\.labels) == example.groups.map(\.labels))
    #expect(found.map(\.count) == example.groups.map(\.count))
    #expect(!answer.hasMore)
    for group in answer.groups {
      let text = try #require(group.predicate)
      nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
        text,
        entity: "Note",
        in: store.coordinator
      )
      let count = try store.write { context in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = predicate
        return try context.count(for: request)
      }
      #expect(count == group.count, "\(text)")
    }
  }

  @Test func `The largest groups come first, and a limit says that there are more`() async throws {
    let store = try Self.store(.sqlite)
    let duplicates = try Duplicates(of: "Note", by: ["title"], in: store.coordinator)
    let answer = try await duplicates.groups(limit: 1, within: .seconds(3600))
    #expect(answer.groups.map(\.labels) == [["a"]] && answer.hasMore)
  }

  @Test func `SQLite makes the groups of duplicates: no row of an object is read`() async throws {
    let store = try Self.store(.sqlite)
    let duplicates = try Duplicates(of: "Note", by: ["title", "rating"], in: store.coordinator)
    let statements = await store.statements {
      do { _ = try await duplicates.groups(within: .seconds(3600)) } catch { Issue.record(error) }
    }
    let reads = statements.filter { $0.contains("FROM ZNOTE") || $0.contains("FROM \"ZNOTE\"") }
    #expect(!reads.isEmpty && reads.allSatisfy { $0.contains("GROUP BY") }, "\(reads)")
  }

  @Test(arguments: [[], ["title", "title"], ["tags"], ["nothing"], ["place"], ["image"]])
  func `Properties that no store groups by are refused with a reason`(properties: [String]) throws {
    let store = try GardenStore(.inMemory)
    #expect(throws: ExplorationFailure.self) {
      _ = try Duplicates(of: "Note", by: properties, in: store.coordinator)
    }
  }

  @Test func `Uniqueness constraints are offered, those of a parent too`() throws {
    let model = Garden.model()
    let category = try #require(model.entitiesByName["Category"])
    #expect(Duplicates.constraints(of: category) == [["name"]])
    #expect(Duplicates.properties(of: category) == ["name", "order"])
    #expect(Duplicates.constraints(of: try #require(model.entitiesByName["Tag"])).isEmpty)
  }
}
