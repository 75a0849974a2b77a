import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Records that say different things of one object")
struct StatementTests {
  private static let nested: [(text: String, key: String, line: Int, other: Int)] = [
    // Two nested records.
    (
      "{\"notes\": [\n{\"title\": \"1\", \"category\": {\"name\": \"C\", \"colorAsHex\": \"1\"}},\n"
        + "{\"title\": \"2\", \"category\": {\"name\": \"C\", \"colorAsHex\": \"2\"}}]}", "colorAsHex", 2, 3
    ),
    // The same records in the other order.
    (
      "{\"notes\": [\n{\"title\": \"2\", \"category\": {\"name\": \"C\", \"colorAsHex\": \"2\"}},\n"
        + "{\"title\": \"1\", \"category\": {\"name\": \"C\", \"colorAsHex\": \"1\"}}]}", "colorAsHex", 2, 3
    ),
    // A nested record with a record of its own, before or after it.
    (
      "{\"categories\": [\n{\"name\": \"C\", \"colorAsHex\": \"1\"}],\n"
        + "\"notes\": [{\"title\": \"1\", \"category\": {\"name\": \"C\", \"colorAsHex\": null}}]}",
      "colorAsHex", 2, 3
    ),
    (
      "{\"notes\": [\n{\"title\": \"1\", \"category\": {\"name\": \"C\", \"colorAsHex\": \"2\"}}],\n"
        + "\"categories\": [{\"name\": \"C\", \"colorAsHex\": \"1\"}]}", "colorAsHex", 2, 3
    ),
    // A list of a relationship.
    (
      "{\"notes\": [\n{\"title\": \"1\", \"tags\": [{\"name\": \"t\", \"notes\": [\"1\"]}]},\n"
        + "{\"title\": \"2\", \"tags\": [{\"name\": \"t\", \"notes\": [\"1\", \"2\"]}]}]}", "notes", 2, 3
    ),
  ]

  @Test(
    "nested records that disagree about one object are an error that names both positions",
    arguments: SeedWay.allCases,
    0..<nested.count
  )
  func nestedRecords(way: SeedWay, number: Int) throws {
    let store = try way.store()
    let seed = Self.nested[number]
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed.text]) }
    #expect(error?.code == .contradiction)
    #expect(error?.position?.line == seed.other)
    #expect(error?.position?.key?.hasSuffix(seed.key) == true)
    #expect(
      error?.problem.contains("is said by seed.json:\(seed.line): ") == true,
      "\(error?.description ?? "")"
    )
    #expect(try store.count("Note") == 0)
  }

  @Test(
    "nested records with different properties, or with equal values, are combined",
    arguments: SeedWay.allCases
  )
  func addedUp(way: SeedWay) throws {
    let store = try way.store()
    let text = """
      {"notes": [{"title": "1", "category": {"name": "C"}}, {"title": "2", "category": {"name": "C", "colorAsHex": "1"}}],
       "categories": [{"name": "C", "colorAsHex": "1"}]}
      """
    try way.seed(store, ["seed.json": text])
    #expect(try store.lines("Note", "title", "category.colorAsHex") == ["1|1", "2|1"])
    #expect(try way.seed(store, ["seed.json": text], policy: .always).total.updated == 0)
  }

  @Test(
    "different elements of a composite are combined, and two values of one element are an error",
    arguments: SeedWay.allCases
  )
  func composites(way: SeedWay) throws {
    let model = { () -> NSManagedObjectModel in
      let place = NSCompositeAttributeDescription()
      place.name = "place"
      place.isOptional = true
      place.elements = [
        makeAttribute("x", .doubleAttributeType), makeAttribute("label", .stringAttributeType),
      ]
      return TestModel.notes { entities in entities["Category"]?.properties.append(place) }
    }
    let seed = { (second: String) in
      """
      {"notes": [{"title": "1", "category": {"name": "C", "place": {"x": 1}}},
                 {"title": "2", "category": {"name": "C", "place": {\(second)}}}]}
      """
    }
    let store = try way.store(model())
    try way.seed(store, ["seed.json": seed("\"label\": \"here\"")])
    let place = try store.values("Category", "place")
    #expect(place.count == 1 && place[0].contains("1") && place[0].contains("here"))
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed("\"x\": 2")]) }
    #expect(
      error?.code == .contradiction && error?.problem.contains("the place.x of the Category \"C\"") == true
    )
  }

  @Test(
    "skipping wrong records leaves out a record that contradicts an earlier one",
    arguments: SeedWay.allCases
  )
  func leftOut(way: SeedWay) throws {
    let store = try way.store()
    let report = try way.seed(store, ["seed.json": Self.nested[0].text]) { $0.onFailure = .skipRecord }
    #expect(report.total.failed == 1)
    #expect(try store.lines("Note", "title", "category.colorAsHex") == ["1|1"])
  }

  // MARK: - Links

  private static let links: [(text: String, line: Int, other: Int)] = [
    // A list, and a removal from the other side, in both orders.
    (
      "{\"tags\": [\n{\"name\": \"t\", \"notes\": {\"$remove\": [\"1\"]}}],\n"
        + "\"notes\": [{\"title\": \"1\", \"tags\": [\"t\"]}]}", 2, 3
    ),
    (
      "{\"notes\": [\n{\"title\": \"1\", \"tags\": [\"t\"]}],\n"
        + "\"tags\": [{\"name\": \"t\", \"notes\": {\"$remove\": [\"1\"]}}]}", 2, 3
    ),
    // An addition, and a removal from the other side.
    (
      "{\"tags\": [\n{\"name\": \"t\", \"notes\": {\"$remove\": [\"1\"], \"$add\": [\"2\"]}}],\n"
        + "\"notes\": [{\"title\": \"1\", \"tags\": {\"$add\": [\"t\"]}}, {\"title\": \"2\"}]}", 2, 3
    ),
    // A note that is removed by its category.
    (
      "{\"categories\": [\n{\"name\": \"C\", \"notes\": {\"$remove\": [\"1\"]}}],\n"
        + "\"notes\": [{\"title\": \"1\", \"category\": \"C\"}]}", 2, 3
    ),
    // By labels.
    (
      "{\"tags\": [\n{\"$id\": \"a\", \"name\": \"t\", \"notes\": {\"$remove\": [{\"$ref\": \"b\"}]}}],\n"
        + "\"notes\": [{\"$id\": \"b\", \"title\": \"1\", \"tags\": [{\"$ref\": \"a\"}]}]}", 2, 3
    ),
    // In nested records.
    (
      "{\"categories\": [\n{\"name\": \"A\", \"notes\": [{\"title\": \"1\", \"tags\": {\"$remove\": [\"t\"]}}]},\n"
        + "{\"name\": \"B\"}], \"tags\": [\n{\"name\": \"t\", \"notes\": [\"1\"]}]}", 2, 4
    ),
  ]

  @Test(
    "a link that one record adds and another removes is an error that names both positions",
    arguments: SeedWay.allCases,
    0..<links.count
  )
  func contradictingLinks(way: SeedWay, number: Int) throws {
    let store = try way.store()
    let seed = Self.links[number]
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed.text]) }
    #expect(error?.code == .contradiction)
    #expect(error?.position?.line == seed.other)
    #expect(error?.problem.contains(" by seed.json:\(seed.line): ") == true, "\(error?.description ?? "")")
    #expect(try store.count("Note") == 0)
  }

  @Test("a contradiction with a record in another file of the run is found, too", arguments: SeedWay.allCases)
  func files(way: SeedWay) throws {
    let store = try way.store()
    let tags = "{\"tags\": [{\"name\": \"t\", \"notes\": {\"$remove\": [\"1\"]}}]}"
    let notes = "{\"notes\": [{\"title\": \"1\", \"tags\": [\"t\"]}]}"
    let error = #expect(throws: SeedError.self) {
      try way.seed(store, ["tags.json": tags, "notes.json": notes])
    }
    #expect(error?.code == .contradiction)
    #expect(error?.position?.file == "notes.json")
    #expect(error?.problem.contains("by tags.json:1: Tag record 1, key \"notes\"") == true)
  }

  @Test(
    "links of different objects, and of different versions, do not contradict each other",
    arguments: SeedWay.allCases
  )
  func agreement(way: SeedWay) throws {
    let store = try way.store()
    let seed = { (removed: String, kept: String) in
      """
      {"tags": [{"name": "t", "notes": {"$remove": ["\(removed)"]}}],
       "notes": [{"title": "\(kept)", "tags": ["t"]}, {"title": "\(removed)"}]}
      """
    }
    try way.seed(store, ["seed.json": seed("1", "2")])
    #expect(try store.noteLines() == ["1|-|", "2|-|t"])
    try way.seed(store, ["seed.json": seed("2", "1")])
    #expect(try store.noteLines() == ["1|-|t", "2|-|"])
  }

  @Test(
    "an object that one record both adds and removes is an error that names both",
    arguments: SeedWay.allCases
  )
  func addedAndRemoved(way: SeedWay) throws {
    let store = try way.store()
    for tag in ["\"t\"", "{\"$ref\": \"label\"}"] {
      let text = """
        {"tags": [{"$id": "label", "name": "t"}],
         "notes": [{"title": "1", "tags": {"$add": [\(tag)], "$remove": ["t"]}}]}
        """
      let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": text]) }
      #expect(error?.code == .contradiction)
      #expect(error?.position?.line == 2 && error?.position?.key == "tags.$remove")
      #expect(error?.problem.contains("seed.json:2: Note record 1, key \"tags.$add\"") == true)
    }
  }
}
