import Foundation
import StoreExploration
import TestSupport
import Testing

@testable import CoreData

@Suite struct FacetTests {
  private static func day(_ year: Int, _ month: Int, _ day: Int, hour: Int = 12) -> Date {
    var parts = DateComponents()
    (parts.year, parts.month, parts.day, parts.hour) = (year, month, day, hour)
    parts.timeZone = TimeZone(secondsFromGMT: 0)
    return Calendar(identifier: .gregorian).date(from: parts)!
  }

  /// A store of notes in which the number of distinct values of each property is known.
  private static func store(_ kind: GardenKind) throws -> GardenStore {
    let store = try GardenStore(kind)
    try store.write { context in
      let categories = ["Work", "Home", "Say \"hi\" \\ 'é' 😀"].map { context.add("Category", ["name": $0]) }
      for number in 0..<60 {
        context.add(
          "Note",
          [
            "title": "a\"\\\n'é😀\(number % 3)", "body": number < 10 ? nil : "text \(number)",
            "rating": number % 5, "weight": Double(number) / 10,
            "price": NSDecimalNumber(decimal: Decimal(number) / 4),
            "createdAt": Self.day(2024 + number / 20, 1 + number % 12, 1 + number % 28),
            "isPinned": number % 4 == 0, "place": ["city": "c\(number % 2)", "zip": number],
            "category": number % 6 == 5 ? nil : categories[number % 3],
            "link": URL(string: "https://example.com/\(number % 2)?a='b'"),
            "identifier": number < 30
              ? UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number % 2)") : nil,
          ]
        )
      }
    }
    return store
  }

  private static let keyPaths = [
    "title", "rating", "weight", "price", "createdAt", "isPinned", "category", "category.name", "link",
    "identifier",
    "body", "place.city", "place.zip",
  ]

  @Test(arguments: GardenKind.allCases, keyPaths)
  func `The predicate of each value selects as many objects as the facet counts`(
    kind: GardenKind,
    keyPath: String
  ) async throws {
    let store = try Self.store(kind)
    for predicate in ["", "rating > 1 AND title CONTAINS \"'\"", "category == NULL OR isPinned == YES"] {
      let facets = try Facets(entity: "Note", predicate: predicate, in: store.coordinator)
      let facet = try await facets.facet(by: keyPath, within: .seconds(3600))
      #expect(facet.totalCount > 0)
      let told = facet.values.reduce(0) { $0 + $1.count }
      #expect(told + facet.nullCount + facet.otherCount == facet.totalCount)
      for value in facet.values {
        let text = try #require(value.predicate, "\(keyPath) \(value)")
        let count = try Self.count(ExplorationPredicate.both(predicate, text), store)
        #expect(count == value.count, "\(text)")
        #expect(!value.label.isEmpty)
        #expect(try PredicateAssistant(entity: "Note", in: store.coordinator).problem(in: text) == nil)
      }
      let nulls = try Self.count(ExplorationPredicate.both(predicate, facet.nullPredicate), store)
      #expect(nulls == facet.nullCount)
    }
  }

  private static func count(_ text: String, _ store: GardenStore) throws -> Int {
    nonisolated(unsafe) let predicate = try ExplorationPredicate.read(
      text,
      entity: "Note",
      in: store.coordinator
    )
    return try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = predicate
      return try context.count(for: request)
    }
  }

  @Test(arguments: keyPaths.filter { !$0.hasPrefix("place.") })
  func `SQLite makes the groups: no row of an object is read`(keyPath: String) async throws {
    let store = try Self.store(.sqlite)
    let facets = try Facets(entity: "Note", predicate: "rating >= 0", in: store.coordinator)
    let statements = await store.statements {
      do { _ = try await facets.facet(by: keyPath) } catch { Issue.record(error) }
    }
    let reads = statements.filter { $0.contains("FROM ZNOTE") || $0.contains("FROM \"ZNOTE\"") }
    #expect(!reads.isEmpty)
    for sql in reads {
      #expect(sql.contains("COUNT(") || sql.contains("GROUP BY") || sql.contains("MIN("), "\(sql)")
    }
    if keyPath != "price" { #expect(reads.contains { $0.contains("GROUP BY") }, "\(reads)") }
  }

  @Test(arguments: GardenKind.allCases)
  func `Top values come first, the rest are others, and whole numbers are in order`(kind: GardenKind)
    async throws
  {
    let store = try GardenStore(kind)
    try store.write { context in
      for (title, count) in [("c", 5), ("a", 3), ("b", 3), ("d", 1), ("e", 1)] {
        for _ in 0..<count { context.add("Note", ["title": title, "rating": count]) }
      }
      context.add("Note")
    }
    let facets = try Facets(entity: "Note", in: store.coordinator)
    let titles = try await facets.facet(by: "title", top: 3)
    #expect(titles.values.map(\.label) == ["c", "a", "b"])
    #expect(titles.values.map(\.count) == [5, 3, 3])
    #expect(titles.otherCount == 2 && titles.nullCount == 1 && titles.totalCount == 14)
    #expect(titles.kind == .values)
    let ratings = try await facets.facet(by: "rating")
    #expect(ratings.kind == .orderedValues)
    #expect(ratings.values.map(\.label) == ["1", "3", "5"])
  }

  @Test(arguments: GardenKind.allCases)
  func `Dates are counted by day, month or year, in the order of time and in the given zone`(
    kind: GardenKind
  ) async throws {
    let store = try GardenStore(kind)
    try store.write { context in
      for date in [Self.day(2024, 2, 28, hour: 23), Self.day(2024, 2, 29), Self.day(2024, 3, 2)] {
        context.add("Note", ["createdAt": date])
      }
    }
    let facets = try Facets(entity: "Note", in: store.coordinator)
    let days = try await facets.facet(by: "createdAt")
    #expect(days.kind == .dates(.day))
    #expect(days.values.map(\.label) == ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"])
    #expect(days.values.map(\.count) == [1, 1, 0, 1])
    let east = try await facets.facet(by: "createdAt", secondsFromGMT: 7200)
    #expect(east.values.map(\.label) == ["2024-02-29", "2024-03-01", "2024-03-02"])
    #expect(east.values.map(\.count) == [2, 0, 1])
    try store.write { context in
      _ = context.add("Note", ["createdAt": Self.day(2023, 12, 31)])
    }
    let months = try await facets.facet(by: "createdAt")
    #expect(months.kind == .dates(.month))
    #expect(months.values.map(\.label) == ["2023-12", "2024-01", "2024-02", "2024-03"])
    #expect(months.values.map(\.count) == [1, 0, 2, 1])
    try store.write { context in
      context.add("Note", ["createdAt": Self.day(1999, 1, 1)])
      context.add("Note", ["createdAt": Date.distantPast])
      context.add("Note", ["createdAt": Date.distantFuture])
      context.add("Note", ["createdAt": Date(timeIntervalSinceReferenceDate: 1e300)])
    }
    let years = try await facets.facet(by: "createdAt")
    #expect(years.kind == .dates(.year))
    #expect(years.values.map(\.label) == ["0000", "1999", "2023", "2024", "4001"])
    #expect(years.otherCount == 1)
  }

  @Test(arguments: GardenKind.allCases)
  func `Numbers without bounds, and the greatest there are, are counted too`(kind: GardenKind) async throws {
    let store = try GardenStore(kind)
    try store.write { context in
      for weight in [-Double.infinity, -1.5, 0, 2.5, 1e9, .infinity] {
        context.add("Note", ["weight": weight])
      }
      for rating in [Int.min, -1, 0, Int.max] { context.add("Note", ["rating": rating]) }
    }
    let facets = try Facets(entity: "Note", in: store.coordinator)
    let weights = try await facets.facet(by: "weight")
    #expect(weights.otherCount == 2)
    #expect(weights.values.reduce(0) { $0 + $1.count } == 4)
    let ratings = try await facets.facet(by: "rating")
    #expect(Set(ratings.values.map(\.label)) == ["-1", "0", "\(Int.max)", "\(Int.min)"])
  }

  @Test func `Properties without values to count are refused with a remedy`() async throws {
    let store = try GardenStore(.inMemory)
    let facets = try Facets(entity: "Note", in: store.coordinator)
    for (keyPath, words) in [
      ("tags", "by the inverse relationship"), ("image", "choose an attribute of another type"),
      ("titel", "correct the key to \"title\""), ("tags.name", "begin at that entity"),
      ("", "properties are"),
    ] {
      await #expect {
        try await facets.facet(by: keyPath)
      } throws: { error in
        "\(error)".contains(words)
      }
    }
    #expect(!facets.properties.contains("tags") && facets.properties.contains("author"))
    #expect(throws: ExplorationFailure.self) {
      try Facets(entity: "Note", predicate: "titel == 1", in: store.coordinator)
    }
  }

  @Test func `A facet ends at its deadline and with its task`() async throws {
    let store = try GardenStore()
    try store.write { context in
      for number in 0..<20_000 { context.add("Note", ["title": "a\(number % 1000)", "body": "x\(number)"]) }
    }
    let slow = "body MATCHES '(x+x+)+y' OR title ENDSWITH[cd] 'q'"
    let facets = try Facets(entity: "Note", predicate: slow, in: store.coordinator)
    await #expect {
      try await facets.facet(by: "title", within: .nanoseconds(1))
    } throws: { error in
      (error as? ExplorationFailure)?.code == .tookTooLong
    }
    let task = Task { try await facets.facet(by: "title", within: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `An entity that others inherit from is grouped by reading few objects, and refused for many`()
    async throws
  {
    let store = try GardenStore()
    try store.write { context in
      let note = context.add("Note", ["title": "one"])
      let list = context.add("Checklist", ["title": "two"])
      for _ in 0..<3 { context.add("Comment", ["note": note]) }
      context.add("Comment", ["note": list])
    }
    let facet = try await Facets(entity: "Comment", in: store.coordinator).facet(by: "note")
    #expect(facet.values.map(\.label) == ["one", "two"])
    #expect(facet.values.map(\.count) == [3, 1])
    let ids = try facet.values.map { try #require($0.object?.entity.name) }
    #expect(ids == ["Note", "Checklist"])
  }

  @Test(arguments: GardenKind.allCases, ["rating", "title", "createdAt", "tags.name", "author"])
  func `A facet of a relationship's objects counts those alone`(kind: GardenKind, keyPath: String)
    async throws
  {
    let store = try Self.store(kind)
    let explored = try #require(ExploredStore(store.coordinator))
    let key = try store.write { context in
      try #require(try context.one("Category", "name", "Home")).objectID.key
    }
    var query = GridQuery(entity: "Note")
    query.scope = .init(entity: "Category", key: key, owner: "Category", relationship: "notes")
    query.predicate = "rating > 0"
    let objects = try await StoreGrid(explored).count(query, within: .seconds(86_400))
    let facets = try Facets(query, in: explored)
    guard keyPath != "tags.name" else {
      await #expect(throws: ExplorationFailure.self) { try await facets.facet(by: keyPath) }
      return
    }
    let facet = try await facets.facet(by: keyPath, top: 200, within: .seconds(86_400))
    #expect(facet.totalCount == objects && objects > 0 && objects < 20)
    #expect(facet.values.reduce(facet.nullCount) { $0 + $1.count } == objects)
    for value in facet.values {
      guard let predicate = value.predicate else { continue }
      var narrowed = query
      narrowed.predicate = ExplorationPredicate.both(query.predicate, predicate)
      #expect(try await StoreGrid(explored).count(narrowed, within: .seconds(86_400)) == value.count)
    }
  }
}
