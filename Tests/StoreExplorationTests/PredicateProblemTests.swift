import Foundation
import StoreExploration
import Testing

@testable import CoreData

@Suite struct PredicateProblemTests {
  /// A text, the part of it that is wrong, and words of the message or its remedy.
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
    ("title.length == 1", "length", "is an attribute, which has no keys"),
    ("category.@count == 1", "@count", "needs a relationship to many"),
    ("rating == 'a'", "'a'", "write a number without quotes"),
    ("title == 3", "3", "put the text in quotes"),
    ("3 == title", "3", "put the text in quotes"),
    ("isPinned == 'YES'", "'YES'", "write YES or NO"),
    ("createdAt > '1 January'", "'1 January'", "write a date as \"2024-01-31\""),
    ("createdAt IN {'2024-01-01', '2024-02-30'}", "'2024-02-30'", "write a date as"),
    ("rating CONTAINS 'a'", "CONTAINS", "is no text but a whole number"),
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

  /// Texts that are right: these are also carried out.
  static let right = [
    "title == 'a'", "title ==[cd] NULL", "place.city == 'a' AND place.zip > 3", "NOT title BEGINSWITH[c] 'x'",
    "category.name == 'Work'",
    "ANY tags.name == 'a'", "tags.@count > 2", "SUBQUERY(tags, $t, $t.name == 'a').@count > 0",
    "rating BETWEEN {1, 3}", "rating == price", "createdAt < CAST(100, 'NSDate')",
    "createdAt > '2024-01-01'", "'2024-01-01T00:00:00+01:00' <= createdAt",
    "createdAt BETWEEN {'2024-01-01', \"2025-01-01 12:00:00Z\"}", "isPinned == YES",
    "isPinned == 1",
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
