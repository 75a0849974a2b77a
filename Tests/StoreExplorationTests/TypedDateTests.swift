import Foundation
import Seeding
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite("Dates that are typed into predicates")
struct TypedDateTests {
  /// Moments around the two days in 2026 when Berlin changes its clocks.
  private static let moments = [
    "2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z",
    "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T10:00:00.25Z",
  ]

  /// A text, and the moment that it means in Berlin.
  static let texts: [(String, String)] = [
    ("2026-03-29", "2026-03-29T00:00:00Z"), ("2026-03-29T01:30Z", "2026-03-29T01:30:00Z"),
    ("2026-03-29 01:30:00+02:00", "2026-03-28T23:30:00Z"), ("2026-03-29 local", "2026-03-28T23:00:00Z"),
    ("2026-07-01T12:00 local", "2026-07-01T10:00:00Z"), ("2026-12-01T12:00:30 local", "2026-12-01T11:00:30Z"),
    // Clocks show the first time twice, and the first occurrence applies. They skip the second time, which is
    // read an hour later.
    ("2026-10-25T02:30 local", "2026-10-25T00:30:00Z"), ("2026-03-29T02:30 local", "2026-03-29T01:30:00Z"),
  ]

  @Test(arguments: texts)
  func `A text is a moment, in the user's zone where it ends in local`(text: String, moment: String) throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let date = try #require(ISO8601Date.parse(moment))
    #expect(TypedDate(text, in: berlin) == .date(date))
  }

  @Test(arguments: [
    "", "local", " local", "2026", "2026-13-01", "2026-02-30 local", "2026-01-01T10:00", "2026-01-01Z local",
    "2026-01-01T10:00Z local", "01.10.2026", "2026-01-01T25:00Z", "20261-01-01",
  ])
  func `A text that is not a moment is refused with a remedy that is one`(text: String) {
    guard case .refused(let problem, let remedy) = TypedDate(text, in: .gmt) else {
      Issue.record("\(text) was read as a date")
      return
    }
    #expect(!problem.isEmpty && remedy.contains("\""))
  }

  @Test(arguments: [0, 0.5, -1e10, 773_020_800, 773_020_800.123_456, 1e300])
  func `Each date has a text that is read as this date`(seconds: Double) throws {
    let store = try GardenStore(.inMemory)
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let text = "createdAt == \(PredicateText.date(date))"
    let predicate = try #require(try ExplorationPredicate.read(text, entity: "Note", in: store.coordinator))
    #expect(predicate.evaluate(with: ["createdAt": date]))
  }

  /// Conditions, and the moments that match each.
  static let conditions: [(String, [Int])] = [
    ("createdAt >= '2026-03-29'", [2, 3, 4, 5, 6]), ("createdAt < '2026-03-28T23:00:00Z'", [0]),
    ("'2026-10-25T01:30:00Z' <= createdAt", [5, 6]), ("createdAt == '2026-10-25T10:00:00.25Z'", [6]),
    ("createdAt BETWEEN {'2026-03-28T23:00:00Z', '2026-03-29 01:30+00:00'}", [1, 2, 3]),
    ("createdAt IN {'2026-03-29T00:30:00Z', '2026-10-25T11:00:00.25+01:00'}", [2, 6]),
    ("createdAt != '2026-03-29T00:30:00Z' AND title != \"a 'text'\"", [0, 1, 3, 4, 5, 6]),
    ("NOT createdAt > \"2026-03-29\" AND title CONTAINS '2026'", [0, 1]),
    (
      "SUBQUERY(category.notes, $n, $n.createdAt >= '2026-10-25T10:00:00Z').@count == 1",
      [0, 1, 2, 3, 4, 5, 6]
    ),
    ("ANY category.notes.createdAt < '2026-01-01'", []),
    ("category.notes.@max.createdAt > '2026-10-25T09:00Z'", [0, 1, 2, 3, 4, 5, 6]),
    ("title == '2026-03-29T00:30:00Z'", [2]),
  ]

  @Test(arguments: conditions, GardenKind.allCases)
  func `A store finds the objects before, at and after a typed date`(
    condition: (text: String, found: [Int]),
    kind: GardenKind
  ) throws {
    let store = try GardenStore(kind)
    try store.write { context in
      let category = context.add("Category", ["name": "Work"])
      for moment in Self.moments {
        let date = try #require(ISO8601Date.parse(moment))
        context.add("Note", ["title": moment, "createdAt": date, "category": category])
      }
      try context.save()
    }
    nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
      condition.text,
      entity: "Note",
      in: store.coordinator
    )
    let titles = try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = predicate
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
    #expect(Set(titles) == Set(condition.found.map { Self.moments[$0] }))
  }

  @Test func `SQLite compares with a bound number, so that an index serves a typed date`() async throws {
    let store = try GardenStore()
    nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
      "createdAt > '2026-01-01'",
      entity: "Note",
      in: store.coordinator
    )
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = predicate
    let explanation = try #require(try store.coordinator.explanation(of: request))
    #expect(explanation.sql.contains("ZCREATEDAT > ?") || explanation.sql.contains("\"ZCREATEDAT\" > ?"))
  }
}
