import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Records that contradict each other")
struct ContradictionTests {
  private static let books = """
    "books": [
    {"title": "b1"},
    {"title": "b2"}],
    """

  private static let seeds: [(text: String, line: Int, other: Int)] = [
    // Two parents claim one child.
    (
      "{\(books) \"shelves\": [\n{\"name\": \"A\", \"books\": [\"b1\", \"b2\"]},\n{\"name\": \"B\", \"books\": [\"b2\"]}]}",
      5, 4
    ),
    // A child claims to belong to another parent.
    (
      "{\"books\": [\n{\"title\": \"b1\", \"shelf\": \"B\"}],\n\"shelves\": [{\"name\": \"A\", \"books\": [\"b1\"]}, {\"name\": \"B\"}]}",
      2, 3
    ),
    // A list lacks a child that claims to belong to it.
    (
      "{\"books\": [\n{\"title\": \"b1\", \"shelf\": \"A\"}],\n\"shelves\": [{\"name\": \"A\", \"books\": []}]}",
      2, 3
    ),
    // A child is added to two parents.
    (
      "{\(books) \"shelves\": [\n{\"name\": \"A\", \"books\": {\"$add\": [\"b1\"]}},\n{\"name\": \"B\", \"books\": {\"$add\": [\"b1\"]}}]}",
      5, 4
    ),
  ]

  @Test(
    "records that contradict each other are an error that names both positions, and nothing is imported",
    arguments: SeedWay.allCases,
    0..<seeds.count
  )
  func contradiction(way: SeedWay, number: Int) throws {
    let store = try way.store(TestModel.library())
    let seed = Self.seeds[number]
    let error = #expect(throws: SeedError.self) { try way.seed(store, ["seed.json": seed.text]) }
    #expect(error?.code == .contradiction)
    let lines = Set([error?.position?.line ?? 0, seed.line, seed.other])
    #expect(lines == [seed.line, seed.other])
    let other = error?.position?.line == seed.line ? seed.other : seed.line
    #expect(error?.problem.contains("by seed.json:\(other): ") == true, "\(error?.description ?? "")")
    #expect(try store.count("Shelf") == 0)
  }

  @Test(
    "records do not contradict each other if both sides of a relationship say the same",
    arguments: SeedWay.allCases
  )
  func agreement(way: SeedWay) throws {
    let store = try way.store(TestModel.library())
    let text = """
      {"books": [{"title": "b1", "shelf": "A"}, {"title": "b2", "shelf": "A"}, {"title": "b3", "shelf": "B"}],
       "shelves": [{"name": "A", "books": ["b2", "b1"]}, {"name": "B", "books": ["b3"]}]}
      """
    try way.seed(store, ["seed.json": text])
    #expect(try store.lines("Shelf", "name", "books.title") == ["A|b2,b1", "B|b3"])
    #expect(try way.seed(store, ["seed.json": text], policy: .always).total.unchanged == 5)
  }

  @Test("moving a child from one version to the next is not a contradiction", arguments: SeedWay.allCases)
  func moved(way: SeedWay) throws {
    let store = try way.store(TestModel.library())
    let seed = { (first: String, second: String) in
      """
      {\(Self.books) "shelves": [{"name": "A", "books": [\(first)]}, {"name": "B", "books": [\(second)]}]}
      """
    }
    try way.seed(store, ["seed.json": seed("\"b1\"", "\"b2\"")])
    try way.seed(store, ["seed.json": seed("\"b2\"", "\"b1\"")])
    #expect(try store.lines("Shelf", "name", "books.title") == ["A|b2", "B|b1"])
    try way.seed(store, ["seed.json": seed("", "\"b1\", \"b2\"")])
    #expect(try store.lines("Shelf", "name", "books.title") == ["A|", "B|b1,b2"])
  }

  @Test(
    "the statements of both sides of a many-to-many relationship are combined",
    arguments: SeedWay.allCases
  )
  func manyToMany(way: SeedWay) throws {
    let store = try way.store()
    let text = """
      {"notes": [{"title": "1", "tags": ["a"]}], "tags": [{"name": "a"}, {"name": "b", "notes": ["1"]}]}
      """
    try way.seed(store, ["seed.json": text])
    #expect(try store.noteLines() == ["1|-|a,b"])
  }
}
