import Foundation
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct DateTextTests {
  private static func store(_ kind: GardenKind) throws -> GardenStore {
    let store = try GardenStore(kind)
    try store.write { context in
      for (title, seconds) in [("before", -1.0), ("at", 0), ("after", 86_400)] {
        context.add("Note", ["title": title, "createdAt": Date(timeIntervalSinceReferenceDate: seconds)])
      }
      context.add("Note", ["title": "without"])
      context.add("Note", ["title": "2001-01-01"])
    }
    return store
  }

  @Test(
    arguments: GardenKind.allCases,
    [
      ("createdAt > \"2001-01-01\"", ["after"]), ("createdAt >= '2001-01-01T00:00:00Z'", ["after", "at"]),
      ("createdAt == \"2001-01-01T01:00:00+01:00\"", ["at"]), ("\"2001-01-01\" > createdAt", ["before"]),
      ("createdAt IN {\"2001-01-01\", \"2001-01-02\"}", ["after", "at"]),
      ("createdAt BETWEEN {\"2000-12-31\", \"2001-01-01\"}", ["at", "before"]),
      ("(title == \"é😀\" OR createdAt < \"2001-01-01\") AND title != \"2001-01-01\"", ["before"]),
      ("NOT createdAt > \"2001-01-01\" AND createdAt != NULL", ["at", "before"]),
      // A date that is compared with a text attribute stays a text.
      ("title == \"2001-01-01\"", ["2001-01-01"]),
    ]
  )
  func `A text in ISO 8601 that is compared with a date means the date`(
    kind: GardenKind,
    example: (predicate: String, titles: [String])
  ) throws {
    let store = try Self.store(kind)
    nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
      example.predicate,
      entity: "Note",
      in: store.coordinator
    )
    let titles = try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = predicate
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }.sorted()
    }
    #expect(titles == example.titles)
  }

  @Test func `Counts by day lead to a predicate with dates that a person can write`() async throws {
    let store = try Self.store(.sqlite)
    let facet = try await Facets(entity: "Note", in: store.coordinator).facet(by: "createdAt")
    #expect(
      facet.values.first?.predicate
        == "createdAt >= \"2000-12-31\" AND createdAt < \"2001-01-01\""
    )
  }

  @Test func `Completions of a date are written in ISO 8601`() async throws {
    let store = try GardenStore(.inMemory)
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    let found = await assistant.completions(of: "createdAt > ", at: 12)
    let days = found.filter { $0.detail.hasPrefix("the beginning of") }
    // On the first day of a month or a year, beginnings are equal and suggested once.
    #expect(!days.isEmpty && Set(days.map(\.text)).count == days.count)
    for day in days {
      #expect(day.text.wholeMatch(of: /"\d{4}-\d\d-\d\d"/) != nil, "\(day.text)")
      #expect(assistant.problem(in: "createdAt > \(day.text)") == nil)
    }
  }

  @Test(
    arguments: [
      ("2026-05-17", ["2026-05-17", "2026-05-01", "2026-01-01"]),
      ("2026-12-01", ["2026-12-01", "2026-12-01", "2026-01-01"]),
      ("2027-01-01", ["2027-01-01", "2027-01-01", "2027-01-01"]),
    ]
  )
  func `The days of a date's completions begin the day, the month and the year`(day: String, days: [String]) throws {
    let attribute = NSAttributeDescription()
    attribute.attributeType = .dateAttributeType
    let now = try #require(try? Date("\(day)T23:59:59Z", strategy: .iso8601))
    let found = TypeWords.constants(of: attribute, now: now).dropFirst().map(\.0)
    #expect(found == days.map { "\"\($0)\"" })
  }
}
