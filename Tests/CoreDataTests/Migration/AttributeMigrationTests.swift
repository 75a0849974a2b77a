import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration of attributes")
struct AttributeMigrationTests {
  private static func note(_ attributes: String) -> String {
    """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>\(attributes)</entity>
    <entity name="Tag"><attribute name="name" attributeType="String" optional="YES"/></entity>
    """
  }

  private static let optional = #"<attribute name="rating" attributeType="Integer 16" optional="YES"/>"#

  @Test("an added attribute is empty or has its default", arguments: MigrationWay.allCases)
  func added(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.note(""), on: way.kind) { $0.make("Note", ["name": "a"]) }
    let new = Self.note(
      Self.optional
        + #"""
        <attribute name="state" attributeType="String" defaultValueString="new"/>
        <attribute name="due" attributeType="Date" defaultDateTimeInterval="60"/>
        <attribute name="price" attributeType="Decimal" optional="YES" defaultValueString="1.5"/>
        <attribute name="isDone" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="link" attributeType="URI" defaultValueString="https://example.org"/>
        <attribute name="draft" attributeType="String" transient="YES"/>
        """#
    )
    let note = try #require(try store.migrate(new, way).all("Note").first)
    #expect(note.text() == "a")
    #expect(note.value(forKey: "rating") == nil)
    #expect(note.text("state") == "new")
    #expect(note.value(forKey: "due") as? Date == Date(timeIntervalSinceReferenceDate: 60))
    #expect(note.value(forKey: "price") as? NSDecimalNumber == 1.5)
    #expect(note.value(forKey: "isDone") as? Bool == true)
    #expect((note.value(forKey: "link") as? URL)?.absoluteString == "https://example.org")
    #expect(note.text("draft") == nil)
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a removed attribute loses its column", arguments: MigrationWay.allCases)
  func removed(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.note(Self.optional), on: way.kind) {
      for name in ["a", "b"] { $0.make("Note", ["name": name, "rating": 3]) }
      $0.make("Tag", ["name": "t"])
    }
    let new = Self.note("")
    let context = try store.migrate(new, way)
    #expect(try context.texts("Note") == ["a", "b"])
    #expect(try context.texts("Tag") == ["t"])
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("an attribute is renamed by its renaming identifier", arguments: MigrationWay.allCases)
  func renamed(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.note(Self.optional), on: way.kind) {
      $0.make("Note", ["name": "a", "rating": 7])
    }
    let new = Self.note(
      #"<attribute name="stars" attributeType="Integer 16" optional="YES" elementID="rating"/>"#
    )
    let note = try #require(try store.migrate(new, way).all("Note").first)
    #expect(note.value(forKey: "stars") as? Int == 7)
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("a migration swaps the names of two attributes", arguments: MigrationWay.allCases)
  func swapped(_ way: MigrationWay) throws {
    let old = Self.note(
      """
      <attribute name="first" attributeType="String" optional="YES"/>
      <attribute name="second" attributeType="String" optional="YES"/>
      """
    )
    let new = Self.note(
      """
      <attribute name="first" attributeType="String" optional="YES" elementID="second"/>
      <attribute name="second" attributeType="String" optional="YES" elementID="first"/>
      <attribute name="third" attributeType="String" optional="YES"/>
      """
    )
    let store = try VersionedStore(old, on: way.kind) { $0.make("Note", ["first": "1", "second": "2"]) }
    let note = try #require(try store.migrate(new, way).all("Note").first)
    #expect(note.text("first") == "2")
    #expect(note.text("second") == "1")
  }

  @Test(
    "an optional attribute becomes required: objects without a value get the default",
    arguments: MigrationWay.allCases
  )
  func required(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.note(Self.optional), on: way.kind) {
      $0.make("Note", ["name": "a", "rating": 7])
      $0.make("Note", ["name": "b"])
    }
    let new = Self.note(#"<attribute name="rating" attributeType="Integer 16" defaultValueString="1"/>"#)
    let notes = try store.migrate(new, way).all("Note")
    #expect(notes.map { $0.value(forKey: "rating") as? Int } == [7, 1])
  }

  @Test("an attribute without missing values becomes required", arguments: MigrationWay.allCases)
  func requiredWithoutDefault(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.note(Self.optional), on: way.kind) {
      $0.make("Note", ["name": "a", "rating": 7])
    }
    let new = Self.note(#"<attribute name="rating" attributeType="Integer 16"/>"#)
    #expect(try store.migrate(new, way).all("Note").first?.value(forKey: "rating") as? Int == 7)
  }

  @Test("a required attribute becomes optional", arguments: MigrationWay.allCases)
  func optional(_ way: MigrationWay) throws {
    let old = Self.note(#"<attribute name="rating" attributeType="Integer 16" defaultValueString="1"/>"#)
    let store = try VersionedStore(old, on: way.kind) { $0.make("Note", ["name": "a"]) }
    let context = try store.migrate(Self.note(Self.optional), way)
    let note = try #require(try context.all("Note").first)
    #expect(note.value(forKey: "rating") as? Int == 1)
    note.setValue(nil, forKey: "rating")
    try context.save()
  }

  @Test(
    "numbers of one type are converted to another type",
    arguments: MigrationWay.allCases,
    [
      ("Integer 16", "Double", NSNumber(value: 7), NSNumber(value: 7.0)),
      ("Double", "Integer 64", NSNumber(value: 2.75), NSNumber(value: 2)),
      ("Integer 32", "Decimal", NSNumber(value: -4), NSDecimalNumber(value: -4)),
      ("Decimal", "Float", NSDecimalNumber(string: "0.5"), NSNumber(value: 0.5)),
      ("Integer 16", "Integer 64", NSNumber(value: 300), NSNumber(value: 300)),
    ]
  )
  func numbers(_ way: MigrationWay, _ change: (String, String, NSNumber, NSNumber)) throws {
    let (before, after, value, expected) = change
    let store = try VersionedStore(
      Self.note("<attribute name=\"n\" attributeType=\"\(before)\" optional=\"YES\"/>"),
      on: way.kind
    ) {
      $0.make("Note", ["n": value])
    }
    let new = Self.note("<attribute name=\"n\" attributeType=\"\(after)\" optional=\"YES\"/>")
    let note = try #require(try store.migrate(new, way).all("Note").first)
    #expect(note.value(forKey: "n") as? NSNumber == expected)
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("every type of value is kept", arguments: MigrationWay.allCases)
  func values(_ way: MigrationWay) throws {
    let types = [
      "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date",
      "Binary", "UUID", "URI", "Transformable",
    ]
    let attributes = types.enumerated().map { index, type in
      "<attribute name=\"a\(index)\" attributeType=\"\(type)\" optional=\"YES\"/>"
    }.joined()
    let uuid = UUID()
    let values: [Any] = [
      1, 2, Int64.max, NSDecimalNumber(string: "12.25"), 0.1, Float(0.5),
      way.kind.isPostgreSQL ? "äb" : "ä\u{0}b", 1,
      Date(timeIntervalSinceReferenceDate: 1.5), Data([0, 1, 2]), uuid, URL(fileURLWithPath: "/a b"),
      ["x", "y"] as NSArray,
    ]
    let store = try VersionedStore(Self.note(attributes), on: way.kind) { context in
      let note = context.make("Note")
      for (index, value) in values.enumerated() { note.setValue(value, forKey: "a\(index)") }
    }
    // Another column is removed, so the table is rebuilt.
    let new = """
      <entity name="Note">\(attributes)</entity>
      <entity name="Tag"><attribute name="name" attributeType="String" optional="YES"/></entity>
      """
    let note = try #require(try store.migrate(new, way).all("Note", by: "a0").first)
    for (index, value) in values.enumerated() {
      let found = try #require(note.value(forKey: "a\(index)"))
      #expect("\(found)" == "\(value)", "\(types[index])")
    }
  }

  @Test("large data stay in their files, and those of a removed attribute are deleted")
  func externalData() throws {
    let old = Self.note(
      """
      <attribute name="kept" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="gone" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="inlined" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="marked" attributeType="Binary" optional="YES"/>
      """
    )
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let store = try VersionedStore(old) {
      $0.make("Note", ["kept": data, "gone": data, "inlined": data, "marked": Data([1, 2, 0])])
      $0.make("Note", ["inlined": Data([2, 1]), "name": "small"])
    }
    let folder = ExternalDataFolder(store: store.file)
    #expect(folder.names.count == 3)
    let new = Self.note(
      """
      <attribute name="kept" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="inlined" attributeType="Binary" optional="YES"/>
      <attribute name="marked" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
      """
    )
    let notes = try store.migrate(new).all("Note")
    #expect(notes[0].value(forKey: "kept") as? Data == data)
    #expect(notes[0].value(forKey: "inlined") as? Data == data)
    #expect(notes[0].value(forKey: "marked") as? Data == Data([1, 2, 0]))
    #expect(notes[1].value(forKey: "inlined") as? Data == Data([2, 1]))
    #expect(folder.names.count == 1)
  }
}
