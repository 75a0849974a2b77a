import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration of derived attributes")
struct DerivedMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static func model(_ derived: String, more: String = "") -> String {
    """
    <entity name="Note">\(name)\(derived)<relationship name="pages" optional="YES" toMany="YES" destinationEntity="Page" \
    inverseName="note" inverseEntity="Page"/></entity><entity name="Page">\(name)<attribute name="size" \
    attributeType="Integer 32" optional="YES"/><relationship name="note" optional="YES" maxCount="1" \
    destinationEntity="Note" inverseName="pages" inverseEntity="Note"/></entity>\(more)
    """
  }

  private static func derived(_ name: String, _ type: String, _ expression: String) -> String {
    """
    <attribute name="\(name)" attributeType="\(type)" optional="YES" derived="YES" derivationExpression="\(expression)"/>
    """
  }

  private func filled(_ model: String, _ kind: StoreKind) throws -> VersionedStore {
    try VersionedStore(model, on: kind) { context in
      let note = context.make("Note", ["name": "Été"])
      for size in [1, 2] { context.make("Page", ["size": size, "note": note]) }
    }
  }

  @Test(
    "a migration computes new derived attributes of existing objects, and keeps them current",
    arguments: StoreKind.migrating
  )
  func added(_ kind: StoreKind) throws {
    let new = Self.model(
      Self.derived("count", "Integer 64", "pages.@count")
        + Self.derived("sum", "Integer 64", "pages.size.@sum")
        + Self.derived("key", "String", "canonical:(name)") + Self.derived("copy", "String", "name")
        + Self.derived("seen", "Date", "now()")
    )
    let store = try filled(Self.model(""), kind)
    let context = try store.migrate(new)
    let note = try #require(try context.all("Note").first)
    #expect(note.value(forKey: "count") as? Int == 2)
    #expect(note.value(forKey: "sum") as? Int == 3)
    #expect(note.text("key") == "ete")
    #expect(note.text("copy") == "Été")
    #expect(note.value(forKey: "seen") is Date)
    context.make("Page", ["size": 4, "note": note])
    try context.save()
    context.refresh(note, mergeChanges: false)
    #expect(note.value(forKey: "count") as? Int == 3)
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a migration recreates the triggers of renamed tables and entities", arguments: StoreKind.migrating)
  func renamed(_ kind: StoreKind) throws {
    let old = Self.model(Self.derived("count", "Integer 64", "pages.@count"))
    let store = try filled(old, kind)
    let new = old.replacingOccurrences(
      of: #"<entity name="Note">"#,
      with: #"<entity name="Text" elementID="Note">"#
    )
    .replacingOccurrences(of: #"destinationEntity="Note""#, with: #"destinationEntity="Text""#)
    .replacingOccurrences(of: #"inverseEntity="Note""#, with: #"inverseEntity="Text""#)
    let context = try store.migrate(new)
    let text = try #require(try context.all("Text").first)
    #expect(text.value(forKey: "count") as? Int == 2)
    try context.all("Page").forEach(context.delete)
    try context.save()
    context.refresh(text, mergeChanges: false)
    #expect(text.value(forKey: "count") as? Int == 0)
    try store.close()
    // In PostgreSQL, a save computes the derived values.
    if kind.isPostgreSQL { return }
    let triggers: [String] = try store.query("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
    #expect(triggers.count == 5)
    #expect(!triggers.contains { $0.contains("UPDATE ZNOTE") })
  }
}
