import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Merging changes of a seed and of a user")
struct MergeTests {
  private func note(_ contents: String, category: String = "A", tags: String = "\"x\"") -> String {
    """
    {"tags": [{"name": "x"}, {"name": "y"}], "categories": [{"name": "A"}, {"name": "B"}],
     "notes": [{"title": "1", "contents": "\(contents)", "createdAt": "2024-01-01", "category": "\(category)",
      "tags": [\(tags)]}]}
    """
  }

  @Test("a merge updates the seed's changes and keeps the user's changes", arguments: SeedWay.allCases)
  func both(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": note("one")], mode: .merge)
    try store.edit("Note", where: "title", is: "1") { object, context in
      object.setValue(Date(timeIntervalSince1970: 0), forKey: "createdAt")
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      object.setValue(Set(tags), forKey: "tags")
    }
    let report = try way.seed(store, ["seed.json": note("two", category: "B")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(
      try store.lines("Note", "contents", "createdAt", "category.name", "tags.name") == [
        "two|1970-01-01 00:00:00 +0000|B|x,y"
      ]
    )
    // If the seed and the user have changed a value to the same new value, the next change is not a conflict.
    #expect(try way.seed(store, ["seed.json": note("two", category: "A")], mode: .merge).conflicts == [])
    #expect(try store.lines("Note", "category.name", "tags.name") == ["A|x,y"])
  }

  @Test(
    "the policy resolves values that both have changed, and they are reported once",
    arguments: SeedWay.allCases
  )
  func conflict(way: SeedWay) throws {
    for policy in SeedConflictPolicy.allCases {
      let store = try way.store()
      try way.seed(store, ["seed.json": note("one")], mode: .merge)
      try store.set("Note", "title", "1", "contents", to: "mine")
      try store.set("Note", "title", "1", "category", to: nil)
      let report = try way.seed(store, ["seed.json": note("two", category: "B")], mode: .merge) {
        $0.conflictPolicy = policy
      }
      let isSeedTaken = policy == .takeSeed
      #expect(report.entities["Note"]?.conflicts == 2)
      #expect(report.conflicts.map(\.key).sorted() == ["category", "contents"])
      #expect(report.conflicts.allSatisfy { $0.isSeedTaken == isSeedTaken })
      let words = try #require(report.conflicts.first { $0.key == "contents" })
      #expect((words.present, words.new) == ("\"mine\"", "\"two\""))
      #expect(words.position.line == 2)
      #expect(try store.lines("Note", "contents", "category.name") == [isSeedTaken ? "two|B" : "mine|-"])
      // A repeated seed does not report the settled conflict again.
      let again = try way.seed(store, ["seed.json": note("two", category: "B") + " "], mode: .merge)
      #expect(again.conflicts == [])
      #expect(try store.lines("Note", "contents", "category.name") == [isSeedTaken ? "two|B" : "mine|-"])
    }
  }

  @Test("each difference from a user's own object is a conflict", arguments: SeedWay.allCases)
  func unknown(way: SeedWay) throws {
    let store = try way.store()
    try store.insert("Note", ["title": "1", "contents": "one"])
    let report = try way.seed(store, ["seed.json": note("two")], mode: .merge)
    #expect(report.conflicts.map(\.key) == ["contents"])
    #expect(try store.values("Note", "contents") == ["one"])
    try way.seed(store, ["seed.json": note("three")], mode: .merge)
    #expect(try store.values("Note", "contents") == ["one"])
  }

  @Test("an upsert between two merges does not erase the ledger's values", arguments: SeedWay.allCases)
  func upsertBetween(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": note("one")], mode: .merge)
    try way.seed(store, ["seed.json": note("two")])
    let report = try way.seed(store, ["seed.json": note("three")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.values("Note", "contents") == ["three"])
  }

  @Test(
    "a merge recognises unchanged values of every type",
    arguments: [SeedWay.transaction, .pieces]
  )
  func types(way: SeedWay) throws {
    let store = try way.store(TestModel.things(hasComposite: false))
    let seed = { (number: Int, text: String) in
      """
      {"$keys": {"things": ["name"]}, "things": [{"name": "a", "int16": \(number), "int64": \(number), "double": 0.1\(number), "float": 0.1\(number),
       "decimal": "12.3456789012\(number)", "bool": \(number == 1), "date": "2024-01-0\(number)T01:02:03.456Z",
       "data": "AAE\(number)", "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5\(number)",
       "url": "https://example.com/\(number)", "plain": {"b": [\(number), true, 1.5], "a": "\(text)"}, "list": [\(number)]}]}
      """
    }
    try way.seed(store, ["seed.json": seed(1, "é")], mode: .merge)
    let report = try way.seed(store, ["seed.json": seed(2, "e")], mode: .merge)
    #expect(report.conflicts.map(\.description) == [])
    #expect(report.description == "Thing: 1 updated")
    #expect(
      try way.seed(store, ["seed.json": seed(2, "e") + " "], mode: .merge).description == "Thing: 1 unchanged"
    )
  }

  @Test(
    "moving objects between lists that own them is not a user's change",
    arguments: SeedWay.allCases
  )
  func exchanged(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (p: String, q: String) in
      let notes = (1...4).map { "{\"title\": \"\($0)\"}" }.joined(separator: ", ")
      return """
        {"categories": [{"name": "p", "notes": [\(p)]}, {"name": "q", "notes": [\(q)]}], "notes": [\(notes)]}
        """
    }
    try way.seed(store, ["seed.json": seed("\"1\", \"2\"", "\"3\"")], mode: .merge)
    let report = try way.seed(store, ["seed.json": seed("\"3\", \"4\"", "\"2\"")], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try store.lines("Category", "name", "notes.title") == ["p|3,4", "q|2"])
    try store.edit("Category", where: "name", is: "p") { category, _ in
      category.setValue(Set<NSManagedObject>(), forKey: "notes")
    }
    let last = try way.seed(store, ["seed.json": seed("\"3\", \"1\"", "\"2\"")], mode: .merge)
    #expect(last.conflicts.map(\.key) == ["notes"])
    #expect(try store.lines("Category", "name", "notes.title") == ["p|", "q|2"])
  }
}
