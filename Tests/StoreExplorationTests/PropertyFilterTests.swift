import Foundation
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct PropertyFilterTests {
  private static let identifier = "0E984725-C51C-4BF4-9960-E1C80E27ABA0"

  /// Notes 1 to 3 with values of each type, and a note without values.
  private static func store(_ kind: GardenKind) throws -> GardenStore {
    let store = try GardenStore(kind)
    try store.write { context in
      let work = context.add("Category", ["name": "Work"])
      let tag = context.add("Tag", ["name": "garden"])
      for number in 1...3 {
        context.add(
          "Note",
          [
            "title": ["Été \"a\"", "Summer", "summer rain"][number - 1], "rating": number,
            "weight": Double(number) / 2, "price": NSDecimalNumber(string: "\(number).10"),
            "createdAt": Date(timeIntervalSinceReferenceDate: Double(number - 1) * 86_400 + 3_600),
            "isPinned": number == 2, "identifier": number == 1 ? UUID(uuidString: identifier) : UUID(),
            "link": URL(string: "https://example.com/\(number)"), "in": "\(number)",
            "category": number == 1 ? work : nil, "tags": number == 3 ? Set([tag]) : Set(),
          ]
        )
      }
      context.add("Note")
    }
    return store
  }

  private static let examples: [(String, PropertyFilter.Condition, [Int])] = [
    ("title", .contains("ete"), [1]), ("title", .contains("SUMMER"), [2, 3]),
    ("title", .begins("summer "), [3]),
    ("title", .equals("Été \"a\""), [1]), ("title", .excludes("rain"), [0, 1, 2]), ("title", .isNone, [0]),
    ("title", .isSomething, [1, 2, 3]), ("in", .contains("2"), [2]), ("rating", .between("2", nil), [2, 3]),
    ("rating", .between(" 1 ", "2"), [1, 2]), ("rating", .isNone, [0]),
    ("weight", .between("0.5", "1"), [1, 2]),
    ("price", .between("1.10", "2.10"), [1, 2]), ("createdAt", .between("2001-01-01", "2001-01-02"), [1, 2]),
    ("createdAt", .between("2001-01-02T00:00:00Z", nil), [2, 3]), ("isPinned", .isTrue, [2]),
    ("isPinned", .isFalse, [1, 3]), ("identifier", .equals(identifier), [1]),
    ("link", .equals("https://example.com/2"), [2]), ("category", .isSomething, [1]),
    ("category", .isNone, [0, 2, 3]), ("tags", .isNone, [0, 1, 2]), ("tags", .between("1", "1"), [3]),
    ("image", .isNone, [0, 1, 2, 3]),
  ]

  @Test(arguments: GardenKind.allCases, examples)
  func `A condition of a property finds the objects that a person means`(
    kind: GardenKind,
    example: (property: String, condition: PropertyFilter.Condition, ratings: [Int])
  ) async throws {
    let store = try Self.store(kind)
    let entity = try #require(store.coordinator.managedObjectModel.entitiesByName["Note"])
    let text = try PropertyFilter(example.property, of: entity).predicate(example.condition)
    #expect(try Self.ratings(of: text, store) == example.ratings, "\(text)")
  }

  /// The ratings of the notes that match a predicate; 0 for a missing rating.
  private static func ratings(of text: String, _ store: GardenStore) throws -> [Int] {
    nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
      text,
      entity: "Note",
      in: store.coordinator
    )
    return try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = predicate
      return try context.fetch(request).map { ($0.value(forKey: "rating") as? NSNumber)?.intValue ?? 0 }
        .sorted()
    }
  }

  @Test(
    arguments: [
      ("rating", PropertyFilter.Condition.between("1.5", nil), "whole number"),
      ("rating", .between(nil, nil), "limit"), ("weight", .between("1e999", nil), "digits"),
      ("createdAt", .between("yesterday", nil), "2024-01-31"), ("identifier", .equals("x"), "UUID"),
      ("title", .contains(""), "part of the text"), ("rating", .contains("1"), "another condition"),
      ("title", .contains(String(repeating: "x", count: 3_000)), "shorten"),
      ("image", .equals("x"), "another condition"),
    ]
  )
  func `A value of the wrong type is told with how to write one`(
    property: String,
    condition: PropertyFilter.Condition,
    words: String
  ) throws {
    let store = try GardenStore(.inMemory)
    let entity = try #require(store.coordinator.managedObjectModel.entitiesByName["Note"])
    let filter = try PropertyFilter(property, of: entity)
    #expect {
      _ = try filter.predicate(condition)
    } throws: {
      ($0 as? ExplorationFailure)?.code == .wrongPredicate && "\($0)".contains(words)
    }
  }

  private static let properties = [
    "title", "rating", "weight", "price", "createdAt", "isPinned", "identifier", "link", "category", "in",
  ]

  @Test(arguments: GardenKind.allCases, properties)
  func `The value of an object finds those with the same value, and all others`(
    kind: GardenKind,
    property: String
  ) async throws {
    let store = try Self.store(kind)
    let explored = try #require(ExploredStore(store.coordinator))
    let keys = try store.write { context in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map { object in
        (object.objectID.key, (object.value(forKey: "rating") as? NSNumber)?.intValue ?? 0)
      }
    }
    for (key, rating) in keys {
      let filter = try await StoreObjects(explored).filter(
        by: property,
        entity: "Note",
        key: key,
        within: .seconds(3600)
      )
      let found = try #require(filter)
      let (same, others) = (
        try Self.ratings(of: found.only, store), try Self.ratings(of: found.without, store)
      )
      #expect(same.contains(rating) && !others.contains(rating), "\(found)")
      #expect((same + others).sorted() == [0, 1, 2, 3], "\(found)")
    }
  }

  @Test func `Bytes and destinations of a relationship to many have no words in a predicate`() async throws {
    let store = try GardenStore(.inMemory)
    try store.write { context in _ = context.add("Note", ["image": Data([1])]) }
    let explored = try #require(ExploredStore(store.coordinator))
    for property in ["image", "tags"] {
      let key = try store.write { context in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first?.objectID.key ?? 0
      }
      let filter = try await StoreObjects(explored).filter(
        by: property,
        entity: "Note",
        key: key,
        within: .seconds(3600)
      )
      #expect(filter == nil)
    }
  }

  @Test(arguments: GardenKind.allCases)
  func `A search looks into all texts of an entity`(kind: GardenKind) throws {
    let store = try Self.store(kind)
    let search = TextSearch(try #require(store.coordinator.managedObjectModel.entitiesByName["Note"]))
    #expect(search.attributes == ["body", "in", "title"])
    #expect(try Self.ratings(of: try search.predicate(" SUMMER "), store) == [2, 3])
    #expect(try Self.ratings(of: try search.predicate("3"), store) == [3])
    #expect(try search.predicate("  ") == "")
    #expect(throws: ExplorationFailure.self) { try search.predicate(String(repeating: "x", count: 3_000)) }
  }
}
