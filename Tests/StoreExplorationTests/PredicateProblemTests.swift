import Foundation
import StoreExploration
import Testing

@testable import CoreData

@Suite struct PredicateProblemTests {
  /// A text, its invalid part, and words of the message or of the remedy.
  static let wrong: [(String, String, String)] = [
    ("title ==", "", "ends too early"),
    ("title = = 1", "=", "Unexpected ="),
    ("title == “a”", "“", "straight quotes"),
    ("title == 'a", "'", "no closing quote"),
    ("title CONTAIN 'a'", "CONTAIN", "comparison operator"),
    ("title == %@", "%@", "write the value itself"),
    ("titel == 'a'", "titel", "correct the key to \"title\""),
    ("category.nam == 'a'", "nam", "correct the key to \"name\""),
    ("rating > 1 AND categori.name == 'a'", "categori", "correct the key to \"category\""),
    ("title.first == 1", "first", "is an attribute, which has no keys"),
    ("title = Shrubs", "Shrubs", "put the text in quotes: \"Shrubs\""),
    ("category.name IN {'Work', Shrubs}", "Shrubs", "put the text in quotes: \"Shrubs\""),
    ("title = titel", "titel", "correct the key to \"title\", or put the text in quotes"),
    ("title IS NULL", "IS", "write == nil"), ("title is not null", "is", "write != nil"),
    ("title IS 'a'", "IS", "write == in place of IS"), ("title CONTAIN 'a'", "CONTAIN", "such as CONTAINS"),
    ("category.@count == 1", "@count", "needs a relationship to many"),
    ("rating == 'a'", "'a'", "write a number without quotes"),
    ("title == 3", "3", "put the text in quotes"),
    ("3 == title", "3", "put the text in quotes"),
    ("isPinned == 'YES'", "'YES'", "write YES or NO"),
    (
      "createdAt > 'yesterday'", "'yesterday'",
      "\"yesterday\" is not a date; write the date as \"2024-10-01\""
    ),
    ("createdAt > '2026-02-30'", "'2026-02-30'", "is not a date"),
    ("createdAt IN {'2026-01-01', 'x'}", "'x'", "is not a date"),
    ("'x' < createdAt", "'x'", "is not a date"),
    ("ANY category.notes.createdAt == 'x'", "'x'", "is not a date"),
    (
      "createdAt > '2026-01-01T10:00'", "'2026-01-01T10:00'",
      "\"2026-01-01T10:00 local\" for the zone of this machine"
    ),
    ("createdAt > 2026", "2026", "write a date in quotes"),
    ("createdAt > 2026-01-01", "2026-01-01", "write \"2026-01-01\""),
    ("createdAt > 2026-01-01T10:00:00Z", "T", "put the date in quotes: \"2026-01-01T10:00:00Z\""),
    (
      "createdAt BETWEEN {'2026-01-02', '2026-01-01'}", "{'2026-01-02', '2026-01-01'}",
      "the earlier date first"
    ),
    ("createdAt CONTAINS '2026'", "CONTAINS", "is not text but a date"),
    ("rating CONTAINS 'a'", "CONTAINS", "is not text but a whole number"),
    ("rating IN {1, 'a'}", "'a'", "write a number without quotes"),
    ("category == 'Work'", "'Work'", "such as category.name"),
    ("tags.name == 'a'", "tags.name", "write ANY, ALL or NONE"),
    ("title MATCHES '['", "'['", "not a regular expression"),
    ("identifier == 'a'", "'a'", "NSUUID"),
    ("SUBQUERY(tags, $t, $t.nam == 'a').@count > 0", "nam", "correct the key to \"name\""),
    ("place.cty == 'a'", "cty", "correct the key to \"city\""),
    ("place == 'a'", "place", "name one of them: city, zip"),
    ("place.city.x == 'a'", "x", "which has no keys"),
    ("title == $x", "$x", "stands for nothing"),
    ("a + b == 3", "a", "has no property \"a\""),
    ("sum(tags.@count, foo) == 3", "foo", "has no property \"foo\""),
    ("(rating + titel) > 1", "titel", "correct the key"),
    ("$Category_p1.nam == 'a'", "nam", "correct the key"),
  ]

  /// Valid texts, which are also executed.
  static let right = [
    "title == 'a'", "title ==[cd] NULL", "place.city == 'a' AND place.zip > 3", "NOT title BEGINSWITH[c] 'x'",
    "category.name == 'Work'",
    "ANY tags.name == 'a'", "tags.@count > 2", "SUBQUERY(tags, $t, $t.name == 'a').@count > 0",
    "rating BETWEEN {1, 3}", "rating == price", "createdAt < CAST(100, 'NSDate')", "isPinned == YES",
    "isPinned == 1", "createdAt > '2026-01-01'", "createdAt IN {'2026-01-01', '2026-01-01T10:00:00.5+01:00'}",
    "createdAt BETWEEN {'2026-01-01', '2026-01-02 local'}", "'2026-01-01' <= createdAt",
    "title.length > 3", "createdAt.timeIntervalSinceReferenceDate > 3", "link.absoluteString == 'a'",
    "#in == 'x'", "SELF.title == 'b'", "category == NULL", "tags.@max.name == 'a'", "'a' IN tags.name",
    "rating + 1 > 2 * price", "title IN {'a', 'b'}", "TRUEPREDICATE", "category.notes.@count > 1",
    "ALL tags.name LIKE 'a*'", "length(title) > 3", "category == $Category_p1", "$Category_p1 == category",
    "NONE comments.text == 'x'", "entity == NULL", "comments.@count == tags.@count",
  ]

  @Test(arguments: wrong)
  func `The first thing that is wrong is shown at its place, with a remedy`(
    text: String,
    part: String,
    words: String
  ) throws {
    let store = try GardenStore(.inMemory)
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    let problem = try #require(assistant.problem(in: text))
    let range = NSRange(location: problem.range.lowerBound, length: problem.range.count)
    #expect((text as NSString).substring(with: range) == part, "\(problem)")
    #expect(problem.description.contains(words), "\(problem)")
    #expect(!problem.remedy.isEmpty)
  }

  @Test(arguments: GardenKind.allCases)
  func `What has no problem can be asked of a store`(kind: GardenKind) throws {
    let store = try GardenStore(kind)
    try store.write { context in
      let category = context.add("Category", ["name": "Work"])
      try context.obtainPermanentIDs(for: [category])
      context.add("Note", ["title": "a", "category": category, "rating": 2])
    }
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    for text in Self.right {
      #expect(assistant.problem(in: text) == nil, "\(text)")
      let predicate = try ExplorationPredicate.read(text, entity: "Note", in: store.coordinator)
      nonisolated(unsafe) let wanted = predicate
      #expect(throws: Never.self, "\(text)") {
        try store.write { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
          request.predicate = wanted
          _ = try context.fetch(request)
        }
      }
    }
  }

  @Test func `A variable with the address of an object means the object`() throws {
    let store = try GardenStore()
    let id = try store.write { context in
      let category = context.add("Category", ["name": "Work"])
      context.add("Note", ["title": "a", "category": category])
      context.add("Note", ["title": "b"])
      try context.save()
      return category.objectID
    }
    let variable = try #require(ObjectVariable.text(of: id))
    #expect(ObjectVariable.objectID(String(variable.dropFirst()), in: store.coordinator) == id)
    let predicate = try ExplorationPredicate.read(
      "category == \(variable)",
      entity: "Note",
      in: store.coordinator
    )
    nonisolated(unsafe) let wanted = predicate
    let titles = try store.write { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = wanted
      return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
    }
    #expect(titles == ["a"])
    #expect(ObjectVariable.objectID("Nothing_p1", in: store.coordinator) == nil)
    #expect(ObjectVariable.objectID("Category_x", in: store.coordinator) == nil)
  }

  @Test func `A text that is too long is refused, and an empty one means all objects`() throws {
    let store = try GardenStore(.inMemory)
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    let long = String(repeating: "(", count: PredicateAssistant.longestText + 1)
    #expect(assistant.problem(in: long)?.message.contains("bytes") == true)
    #expect(try ExplorationPredicate.read(" \n", entity: "Note", in: store.coordinator) == nil)
    #expect(throws: ExplorationFailure.self) {
      try ExplorationPredicate.read("titel == 1", entity: "Note", in: store.coordinator)
    }
  }
}
