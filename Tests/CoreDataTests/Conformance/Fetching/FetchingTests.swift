import CoreData
import Foundation
import Testing

@Suite("Fetching")
struct FetchingTests {
  /// Five notes in two categories, with tags.
  private func library(_ kind: StoreKind, saved: Bool) throws -> Stack {
    let stack = try Stack(kind)
    let (swift, ios) = (stack.category("Swift"), stack.category("iOS"))
    let (news, tips) = (stack.tag("news"), stack.tag("Tips"))
    stack.note("Alpha", rating: 1, swift, tags: [news])
    stack.note("beta", rating: 2, swift, tags: [news, tips])
    stack.note("Gämma", rating: 3, ios, tags: [tips])
    stack.note("delta 100%", rating: 4, ios)
    stack.note("Epsilon_", rating: 5).createdAt = Date(timeIntervalSinceReferenceDate: 1000)
    if saved { try stack.save() }
    return stack
  }

  static var predicates: [(String, [Any?], [String])] {
    [
      ("rating > 3", [], ["Epsilon_", "delta 100%"]),
      ("rating >= %d AND rating <= %d", [2, 3], ["Gämma", "beta"]),
      ("rating BETWEEN {2, 3}", [], ["Gämma", "beta"]),
      ("title = %@", ["beta"], ["beta"]),
      ("title ==[c] %@", ["BETA"], ["beta"]),
      ("title ==[cd] %@", ["gamma"], ["Gämma"]),
      ("title != %@", ["beta"], ["Alpha", "Epsilon_", "Gämma", "delta 100%"]),
      ("%K == %@", ["title", "Alpha"], ["Alpha"]),
      ("title BEGINSWITH %@", ["A"], ["Alpha"]),
      ("title BEGINSWITH[cd] %@", ["GA"], ["Gämma"]),
      ("title ENDSWITH %@", ["a"], ["Alpha", "Gämma", "beta"]),
      ("title CONTAINS %@", ["0%"], ["delta 100%"]),
      ("title CONTAINS %@", ["_"], ["Epsilon_"]),
      ("title CONTAINS[cd] %@", ["AM"], ["Gämma"]),
      ("title LIKE %@", ["?eta"], ["beta"]),
      ("title LIKE[c] %@", ["a*A"], ["Alpha"]),
      ("title IN %@", [["Alpha", "beta", "none"]], ["Alpha", "beta"]),
      ("rating IN {1, 5}", [], ["Alpha", "Epsilon_"]),
      ("NOT rating IN %@", [[1, 2, 3]], ["Epsilon_", "delta 100%"]),
      ("title MATCHES %@", ["[a-z]+"], ["beta"]),
      ("category.name == %@", ["Swift"], ["Alpha", "beta"]),
      // Without the test for nil, a store in SQL does not find the note without a category: see NullTests.
      ("category.name != %@ AND category.name != nil", ["Swift"], ["Gämma", "delta 100%"]),
      ("category.name != %@ OR category.name == nil", ["Swift"], ["Epsilon_", "Gämma", "delta 100%"]),
      ("category == nil", [], ["Epsilon_"]),
      ("category != nil", [], ["Alpha", "Gämma", "beta", "delta 100%"]),
      ("createdAt == nil", [], ["Alpha", "Gämma", "beta", "delta 100%"]),
      ("createdAt > %@", [Date(timeIntervalSinceReferenceDate: 999)], ["Epsilon_"]),
      ("ANY tags.name == %@", ["news"], ["Alpha", "beta"]),
      ("ANY tags.name IN %@", [["Tips", "none"]], ["Gämma", "beta"]),
      ("ANY tags.name BEGINSWITH[c] %@ AND rating > 2", ["t"], ["Gämma"]),
      ("tags.@count == 2", [], ["beta"]),
      ("tags.@count == 0", [], ["Epsilon_", "delta 100%"]),
      ("rating == 1 OR rating == 2 AND title == 'x'", [], ["Alpha"]),
      ("(rating == 1 OR rating == 2) AND category.name == 'Swift'", [], ["Alpha", "beta"]),
      ("NOT (rating < 4)", [], ["Epsilon_", "delta 100%"]),
      ("TRUEPREDICATE", [], ["Alpha", "Epsilon_", "Gämma", "beta", "delta 100%"]),
      ("FALSEPREDICATE", [], []),
    ]
  }

  @Test("a predicate finds the same in every store", arguments: StoreKind.allCases, [true, false])
  func predicates(_ kind: StoreKind, saved: Bool) throws {
    let stack = try library(kind, saved: saved)
    for (format, arguments, expected) in Self.predicates {
      let found = try stack.fetch(Note.self, format, arguments).compactMap(\.title).sorted()
      #expect(found == expected, "\(format) \(arguments)")
    }
  }

  @Test("a predicate can name objects and IDs", arguments: StoreKind.allCases, [true, false])
  func objects(_ kind: StoreKind, saved: Bool) throws {
    let stack = try library(kind, saved: saved)
    let swift = try #require(try stack.fetch(Category.self, "name == 'Swift'").first)
    let news = try #require(try stack.fetch(Tag.self, "name == 'news'").first)
    let titles = { (format: String, argument: Any) in
      try stack.fetch(Note.self, format, [argument]).compactMap(\.title).sorted()
    }
    #expect(try titles("category == %@", swift) == ["Alpha", "beta"])
    #expect(try titles("category = %@", swift.objectID) == ["Alpha", "beta"])
    #expect(try titles("category IN %@", [swift]) == ["Alpha", "beta"])
    #expect(try titles("ANY tags == %@", news) == ["Alpha", "beta"])
    #expect(try titles("tags CONTAINS %@", news) == ["Alpha", "beta"])
    let alpha = try #require(try stack.fetch(Note.self, "title == 'Alpha'").first)
    #expect(try titles("SELF == %@", alpha) == ["Alpha"])
    #expect(try titles("SELF IN %@", [alpha]) == ["Alpha"])
    #expect(try titles("self != %@", alpha) == ["Epsilon_", "Gämma", "beta", "delta 100%"])
  }

  @Test(
    "results are ordered by the sort descriptors, across relationships too",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func sorting(_ kind: StoreKind, saved: Bool) throws {
    let stack = try library(kind, saved: saved)
    let titles = { (descriptors: [NSSortDescriptor]) in
      try stack.fetch(Note.self, sort: descriptors).compactMap(\.title)
    }
    #expect(try titles([.byTitle]) == ["Alpha", "Epsilon_", "Gämma", "beta", "delta 100%"])
    #expect(
      try titles([NSSortDescriptor(key: "rating", ascending: false)])
        == ["Epsilon_", "delta 100%", "Gämma", "beta", "Alpha"]
    )
    #expect(
      try titles([
        NSSortDescriptor(key: "category.name", ascending: true),
        NSSortDescriptor(key: "rating", ascending: false),
      ]) == ["Epsilon_", "beta", "Alpha", "delta 100%", "Gämma"]
    )
  }

  @Test(
    "fetch limit and offset select a range of the sorted results",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func limits(_ kind: StoreKind, saved: Bool) throws {
    let stack = try library(kind, saved: saved)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try stack.context.fetch(request).map(\.rating) == [2, 3])
    request.fetchOffset = 4
    #expect(try stack.context.fetch(request).map(\.rating) == [5])
    #expect(try stack.context.count(for: request) == 1)
    request.fetchLimit = 0
    request.fetchOffset = 2
    #expect(try stack.context.fetch(request).map(\.rating) == [3, 4, 5])
  }

  @Test("unsaved changes count, unless they are not to", arguments: StoreKind.allCases)
  func pendingChanges(_ kind: StoreKind) throws {
    let stack = try library(kind, saved: true)
    let alpha = try #require(try stack.fetch(Note.self, "title == 'Alpha'").first)
    let beta = try #require(try stack.fetch(Note.self, "title == 'beta'").first)
    alpha.rating = 50
    stack.context.delete(beta)
    stack.note("Zeta", rating: 60)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "rating > %d", 4)
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    #expect(try stack.context.fetch(request).map(\.title) == ["Epsilon_", "Alpha", "Zeta"])
    #expect(try stack.context.count(for: request) == 3)
    request.fetchLimit = 1
    request.fetchOffset = 1
    #expect(try stack.context.fetch(request).map(\.title) == ["Alpha"])
    request.fetchLimit = 0
    request.fetchOffset = 0
    request.includesPendingChanges = false
    #expect(try stack.context.fetch(request).map(\.title) == ["Epsilon_"])
  }

  @Test("a request can ask for IDs, a count or dictionaries", arguments: StoreKind.allCases)
  func resultTypes(_ kind: StoreKind) throws {
    let stack = try library(kind, saved: true)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(format: "category.name == %@", "Swift")
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    request.resultType = .managedObjectIDResultType
    let ids = try stack.context.fetch(request).compactMap { $0 as? NSManagedObjectID }
    #expect(ids.map { (stack.context.object(with: $0) as? Note)?.title } == ["Alpha", "beta"])
    request.resultType = .countResultType
    #expect(try stack.context.fetch(request).first as? NSNumber == 2)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title", "rating"]
    let first = try #require(try stack.context.fetch(request).first as Any as? [String: Any])
    #expect(first["title"] as? String == "Alpha")
    #expect(first["rating"] as? Int == 1)
    #expect(first.count == 2)
  }

  @Test(
    "subentities are found with their superentity, unless they are not to be",
    arguments: StoreKind.allCases
  )
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    Person(context: stack.context).name = "p"
    Employee(context: stack.context).name = "e"
    try stack.save()
    let request = NSFetchRequest<Person>(entityName: "Person")
    #expect(try stack.newContext().fetch(request).count == 2)
    request.includesSubentities = false
    #expect(try stack.newContext().fetch(request).map(\.name) == ["p"])
    #expect(try stack.newContext().count(for: request) == 1)
    #expect(try stack.fetch(Employee.self, in: stack.newContext()).map(\.name) == ["e"])
  }

  @Test("fetched objects are faults until they are looked at", arguments: StoreKind.allCases)
  func faults(_ kind: StoreKind) throws {
    let stack = try library(kind, saved: true)
    let request = NSFetchRequest<Note>(entityName: "Note")
    let note = try #require(try stack.newContext().fetch(request).first)
    #expect(note.isFault)
    _ = note.rating
    #expect(!note.isFault)
    request.returnsObjectsAsFaults = false
    #expect(try stack.newContext().fetch(request).allSatisfy { !$0.isFault })
  }

  @Test("an unknown key in a predicate is an error that names it", arguments: StoreKind.allCases)
  func unknownKey(_ kind: StoreKind) throws {
    let stack = try library(kind, saved: true)
    let error = #expect(throws: (any Error).self) { try stack.fetch(Note.self, "colour == 'red'") }
    #expect("\(error.map { "\($0)" } ?? "")".contains("colour"))
  }

  @Test("an unknown entity in a request is an error that names it", arguments: StoreKind.allCases)
  func unknownEntity(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Nothing")
    let error = #expect(throws: NSError.self) { try stack.context.fetch(request) }
    #expect(error?.localizedDescription.contains("Nothing") == true)
  }
}
