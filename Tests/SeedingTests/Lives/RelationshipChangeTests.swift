import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("Additions to and removals from relationships")
struct RelationshipChangeTests {
  private let tags = "\"tags\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]"

  @Test("$add and $remove change only the members that they list", arguments: SeedWay.allCases)
  func changed(way: SeedWay) throws {
    let store = try way.store()
    try way.seed(store, ["seed.json": "{\(tags), \"notes\": [{\"title\": \"1\", \"tags\": [\"a\", \"b\"]}]}"])
    let change =
      "{\"notes\": [{\"title\": \"1\", \"tags\": {\"$add\": [\"c\"], \"$remove\": [\"a\", \"gone\"]}}]}"
    #expect(try way.seed(store, ["more.json": change]).description == "Note: 1 updated")
    #expect(try store.noteLines() == ["1|-|b,c"])
    #expect(try way.seed(store, ["more.json": change], policy: .always).description == "Note: 1 unchanged")
  }

  @Test("a new object gets the members of an addition", arguments: SeedWay.allCases)
  func created(way: SeedWay) throws {
    let store = try way.store()
    let seed = "{\(tags), \"notes\": [{\"title\": \"1\", \"tags\": {\"$add\": \"c\", \"$remove\": [\"a\"]}}]}"
    try way.seed(store, ["seed.json": seed])
    #expect(try store.noteLines() == ["1|-|c"])
  }

  @Test("additions to an ordered relationship are appended", arguments: SeedWay.allCases)
  func ordered(way: SeedWay) throws {
    let store = try way.store(TestModel.library())
    let books = "\"books\": [{\"title\": \"a\"}, {\"title\": \"b\"}, {\"title\": \"c\"}]"
    try way.seed(
      store,
      ["seed.json": "{\(books), \"shelves\": [{\"name\": \"1\", \"books\": [\"b\", \"a\"]}]}"]
    )
    try way.seed(
      store,
      [
        "more.json":
          "{\"shelves\": [{\"name\": \"1\", \"books\": {\"$add\": [\"b\", \"c\"], \"$remove\": [\"a\"]}}]}"
      ]
    )
    #expect(try store.lines("Shelf", "books.title") == ["b,c"])
  }

  @Test(
    "members that a user has added stay, in every mode",
    arguments: SeedWay.allCases,
    [SeedMode.upsert, .merge]
  )
  func user(way: SeedWay, mode: SeedMode) throws {
    let store = try way.store()
    let seed = { (contents: String) in
      "{\(tags), \"notes\": [{\"title\": \"1\", \"contents\": \"\(contents)\", \"tags\": {\"$add\": [\"a\"]}}]}"
    }
    try way.seed(store, ["seed.json": seed("one")], mode: mode)
    try store.edit("Note", where: "title", is: "1") { object, context in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      object.setValue(Set(tags), forKey: "tags")
    }
    try way.seed(store, ["seed.json": seed("two")], mode: mode)
    #expect(try store.noteLines() == ["1|-|a,b,c"])
    #expect(try store.values("Note", "contents") == ["two"])
  }

  @Test(
    "an invalid addition or removal is an error with its position",
    arguments: [
      ("{\"category\": {\"$add\": [\"a\"]}}", SeedError.Code.wrongType, "category"),
      ("{\"tags\": {\"$add\": [\"a\"], \"x\": 1}}", .wrongShape, "tags.x"),
      ("{\"tags\": {\"$remove\": [{\"name\": \"a\"}]}}", .wrongType, "tags.$remove"),
      ("{\"tags\": {\"$add\": [\"none\"]}}", .unknownReference, "tags"),
      ("{\"tags\": {\"$add\": [null]}}", .wrongType, "tags.$add"),
    ]
  )
  func wrong(fields: String, code: SeedError.Code, key: String) throws {
    let store = try TestStore()
    let record = "{\"title\": \"1\", " + fields.dropFirst()
    let error = #expect(throws: SeedError.self) {
      try SeedWay.oneSave.seed(store, ["seed.json": "{\"notes\": [\(record)]}"])
    }
    #expect(error?.code == code)
    #expect(error?.position?.key == key)
    #expect(error?.position?.line == 1)
  }
}
