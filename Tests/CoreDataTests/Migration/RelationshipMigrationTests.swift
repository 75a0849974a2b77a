import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration of relationships")
struct RelationshipMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static func model(note: String = "", tag: String = "", more: String = "") -> String {
    """
    <entity name="Note">\(name)\(note)</entity><entity name="Tag">\(name)\(tag)</entity>\(more)
    """
  }

  private static func link(
    _ name: String,
    to entity: String,
    many: Bool = false,
    inverse: String? = nil,
    _ rest: String = ""
  ) -> String {
    """
    <relationship name="\(name)" optional="YES" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") \
    destinationEntity="\(entity)" \(inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(entity)\"" } ?? "") \(rest)/>
    """
  }

  private static let oneTag = model(
    note: link("tag", to: "Tag", inverse: "notes"),
    tag: link("notes", to: "Note", many: true, inverse: "tag")
  )
  private static let manyTags = model(
    note: link("tags", to: "Tag", many: true, inverse: "notes", #"elementID="tag""#),
    tag: link("notes", to: "Note", many: true, inverse: "tags")
  )

  /// Adds three notes and two tags. Two of the notes have the first tag.
  private static func fill(_ context: NSManagedObjectContext) {
    let tags = ["x", "y"].map { context.make("Tag", ["name": $0]) }
    for name in ["a", "b"] { context.make("Note", ["name": name]).setValue(tags[0], forKey: "tag") }
    context.make("Note", ["name": "c"])
  }

  @Test(
    "a relationship with the name or renaming identifier of an attribute replaces only the attribute",
    arguments: MigrationWay.allCases
  )
  func kinds(_ way: MigrationWay) throws {
    let former = Self.model(
      note: #"<attribute name="tag" attributeType="String" optional="YES"/>"#
        + #"<attribute name="text" attributeType="String" optional="YES" elementID="cover"/>"#
    )
    let store = try VersionedStore(former, on: way.kind) {
      $0.make("Tag", ["name": "t"])
      $0.make("Note", ["name": "a", "tag": "1", "text": "kept"])
    }
    let new = Self.model(
      note: #"<attribute name="text" attributeType="String" optional="YES"/>"#
        + Self.link("tag", to: "Tag", inverse: "notes") + Self.link("cover", to: "Tag", inverse: "covered"),
      tag: Self.link("notes", to: "Note", many: true, inverse: "tag")
        + Self.link("covered", to: "Note", many: true, inverse: "cover")
    )
    let context = try store.migrate(new, way)
    let note = try #require(try context.all("Note").first)
    #expect(note.text("text") == "kept")
    #expect(note.value(forKey: "tag") == nil)
    #expect(note.value(forKey: "cover") == nil)
    note.setValue(try context.all("Tag").first, forKey: "tag")
    try context.save()
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("relationships can be added and removed", arguments: MigrationWay.allCases)
  func added(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.oneTag, on: way.kind) { Self.fill($0) }
    let new = Self.model(
      note: Self.link("parent", to: "Note", inverse: "children")
        + Self.link("children", to: "Note", many: true, inverse: "parent")
    )
    let context = try store.migrate(new, way)
    let notes = try context.all("Note")
    #expect(notes.count == 3)
    notes[1].setValue(notes[0], forKey: "parent")
    try context.save()
    #expect(notes[0].names("children") == ["b"])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a relationship is renamed on both sides", arguments: MigrationWay.allCases)
  func renamed(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.oneTag, on: way.kind) { Self.fill($0) }
    let new = Self.model(
      note: Self.link("label", to: "Tag", inverse: "items", #"elementID="tag""#),
      tag: Self.link("items", to: "Note", many: true, inverse: "label", #"elementID="notes""#)
    )
    let context = try store.migrate(new, way)
    #expect(try context.all("Tag").map { $0.names("items") } == [["a", "b"], []])
    #expect(try context.all("Note").map { $0.object("label")?.text() } == ["x", "x", nil])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a to-one relationship with a to-many inverse becomes to-many", arguments: MigrationWay.allCases)
  func toManyToMany(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.oneTag, on: way.kind) { Self.fill($0) }
    let context = try store.migrate(Self.manyTags, way)
    #expect(try context.all("Tag").map { $0.names("notes") } == [["a", "b"], []])
    #expect(try context.all("Note").map { $0.names("tags") } == [["x"], ["x"], []])
    try store.close()
    try store.expectFreshSchema(Self.manyTags)
  }

  @Test("a one-to-one relationship becomes to-many", arguments: MigrationWay.allCases)
  func toManyOfOne(_ way: MigrationWay) throws {
    let old = Self.model(
      note: Self.link("tag", to: "Tag", inverse: "note"),
      tag: Self.link("note", to: "Note", inverse: "tag")
    )
    let new = Self.model(
      note: Self.link("tags", to: "Tag", many: true, inverse: "note", #"elementID="tag""#),
      tag: Self.link("note", to: "Note", inverse: "tags")
    )
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Note", ["name": "a", "tag": $0.make("Tag", ["name": "x"])])
    }
    let context = try store.migrate(new, way)
    #expect(try context.all("Note").first?.names("tags") == ["x"])
    #expect(try context.all("Tag").first?.object("note")?.text() == "a")
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a relationship without an inverse becomes to-many", arguments: MigrationWay.allCases)
  func toManyWithoutInverse(_ way: MigrationWay) throws {
    let old = Self.model(note: Self.link("tag", to: "Tag"))
    let new = Self.model(note: Self.link("tag", to: "Tag", many: true))
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Note", ["name": "a", "tag": $0.make("Tag", ["name": "x"])])
      $0.make("Tag", ["name": "y"])
    }
    let context = try store.migrate(new, way)
    #expect(try context.all("Note").map { $0.names("tag") } == [["x"]])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test(
    "a relationship gets an inverse, to one or to many",
    arguments: MigrationWay.allCases,
    [false, true]
  )
  func inverse(_ way: MigrationWay, _ isMany: Bool) throws {
    let old = Self.model(note: Self.link("tags", to: "Tag", many: true))
    let new = Self.model(
      note: Self.link("tags", to: "Tag", many: true, inverse: "notes"),
      tag: Self.link("notes", to: "Note", many: isMany, inverse: "tags")
    )
    let store = try VersionedStore(old, on: way.kind) { context in
      let note = context.make("Note", ["name": "a"])
      note.setValue(NSSet(array: ["x", "y"].map { context.make("Tag", ["name": $0]) }), forKey: "tags")
    }
    let context = try store.migrate(new, way)
    #expect(try context.all("Note").first?.names("tags") == ["x", "y"])
    let back = try context.all("Tag").map { isMany ? $0.names("notes") : [$0.object("notes")?.text() ?? ""] }
    #expect(back == [["a"], ["a"]])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("many-to-many relationships survive a renumbering of entities", arguments: MigrationWay.allCases)
  func renumbered(_ way: MigrationWay) throws {
    let old = Self.model(
      note: Self.link("tags", to: "Tag", many: true, inverse: "notes")
        + Self.link("friends", to: "Note", many: true, inverse: "friends"),
      tag: Self.link("notes", to: "Note", many: true, inverse: "tags", #"ordered="YES""#)
    )
    let store = try VersionedStore(old, on: way.kind) { context in
      let notes = ["a", "b", "c"].map { context.make("Note", ["name": $0]) }
      let tag = context.make("Tag", ["name": "x"])
      tag.setValue(NSOrderedSet(array: [notes[2], notes[0], notes[1]]), forKey: "notes")
      notes[0].setValue(NSSet(object: notes[1]), forKey: "friends")
    }
    let new = old + #"<entity name="Aaa"/>"#
    let context = try store.migrate(new, way)
    #expect(try context.all("Tag").first?.names("notes") == ["c", "a", "b"])
    #expect(try context.all("Note").map { $0.names("tags") } == [["x"], ["x"], ["x"]])
    #expect(try context.all("Note").map { $0.names("friends") } == [["b"], ["a"], []])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test(
    "a to-many relationship becomes ordered, and an ordered one unordered",
    arguments: MigrationWay.allCases,
    [false, true]
  )
  func ordered(_ way: MigrationWay, _ isMany: Bool) throws {
    func model(_ ordered: String) -> String {
      Self.model(
        note: Self.link("tag", to: "Tag", many: isMany, inverse: "notes"),
        tag: Self.link("notes", to: "Note", many: true, inverse: "tag", "ordered=\"\(ordered)\"")
      )
    }
    let store = try VersionedStore(model("NO"), on: way.kind) { context in
      let tag = context.make("Tag", ["name": "x"])
      let notes = ["a", "b", "c"].map { context.make("Note", ["name": $0]) }
      tag.setValue(NSSet(array: notes), forKey: "notes")
    }
    let context = try store.migrate(model("YES"), way)
    let tag = try #require(try context.all("Tag").first)
    #expect(tag.names("notes").sorted() == ["a", "b", "c"])
    let notes = try context.all("Note")
    tag.setValue(NSOrderedSet(array: [notes[1], notes[2], notes[0]]), forKey: "notes")
    try context.save()
    #expect(tag.names("notes") == ["b", "c", "a"])
    try store.close()
    try store.expectFreshSchema(model("YES"))
    let again = try store.migrate(model("NO"))
    #expect(try again.all("Tag").first?.names("notes") == ["a", "b", "c"])
  }

  @Test(
    "the order of an ordered relationship is kept in a rebuilt table",
    arguments: StoreKind.migrating
  )
  func keptOrder(_ kind: StoreKind) throws {
    func model(_ attribute: String) -> String {
      Self.model(
        note: Self.link("tag", to: "Tag", inverse: "notes") + attribute,
        tag: Self.link("notes", to: "Note", many: true, inverse: "tag", #"ordered="YES""#)
      )
    }
    let x = #"<attribute name="x" attributeType="String" optional="YES"/>"#
    let store = try VersionedStore(model(x), on: kind) { context in
      let notes = ["a", "b", "c"].map { context.make("Note", ["name": $0]) }
      let tag = context.make("Tag", ["name": "t"])
      tag.setValue(NSOrderedSet(array: [notes[1], notes[2], notes[0]]), forKey: "notes")
    }
    #expect(try store.migrate(model("")).all("Tag").first?.names("notes") == ["b", "c", "a"])
  }

  @Test(
    "relationships survive a renumbering of entities and new subentities",
    arguments: MigrationWay.allCases
  )
  func polymorphic(_ way: MigrationWay) throws {
    let old = Self.model(note: Self.link("tag", to: "Tag"))
    let sub = #"<entity name="Sub" parentEntity="Tag"/>"#
    let new = Self.model(note: Self.link("tag", to: "Tag"), more: sub + #"<entity name="Abc"/>"#)
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Note", ["name": "a", "tag": $0.make("Tag", ["name": "x"])])
    }
    var context = try store.migrate(new, way)
    #expect(try context.all("Note").first?.object("tag")?.text() == "x")
    context.make("Note", ["name": "b", "tag": context.make("Sub", ["name": "y"])])
    try context.save()
    try store.close()
    try store.expectFreshSchema(new)
    context = try store.migrate(Self.model(note: Self.link("tag", to: "Tag"), more: sub), way)
    let found = try context.all("Note").map { $0.object("tag") }
    #expect(found.map { $0?.text() } == ["x", "y"])
    #expect(found.map { $0?.entity.name } == ["Tag", "Sub"])
  }
}
