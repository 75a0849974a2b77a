import Foundation
import ModelFormats
import Testing

@Suite("The difference between two models")
struct ModelDifferenceTests {
  private static func document(_ entities: String) throws -> ModelDocument {
    let document = try ModelDocument(contents: Data("<model>\(entities)</model>".utf8))
    try document.check()
    return document
  }

  private static func title(_ rest: String) -> String {
    "<entity name=\"Note\"><attribute name=\"title\" \(rest)/></entity>"
  }

  private static func owner(_ rest: String, _ target: String = "Person") -> String {
    """
    <entity name="Note"><relationship name="owner" destinationEntity="\(target)" \(rest)/></entity>
    <entity name="Person"/><entity name="Team"/>
    """
  }

  @Test(
    "A difference that a lightweight migration supports has no obstacle",
    arguments: [
      (title(#"attributeType="String""#), #"<entity name="Note"/>"#, "removed"),
      (
        #"<entity name="Note"/>"#, title(#"attributeType="String" optional="YES""#), "added"
      ),
      (
        #"<entity name="Note"/>"#, title(#"attributeType="String" defaultValueString="a""#), "added"
      ),
      (
        title(#"attributeType="String""#),
        #"<entity name="Note"><relationship name="title" destinationEntity="Note" optional="YES"/></entity>"#,
        "added"
      ),
      (
        title(#"attributeType="String""#), title(#"attributeType="String" optional="YES""#),
        "optional: none -> YES"
      ),
      (
        title(#"attributeType="String" optional="YES""#),
        title(#"attributeType="String" defaultValueString="""#), "optional: YES -> none"
      ),
      (
        title(#"attributeType="String" optional="YES""#),
        title(#"attributeType="String" optional="YES" defaultValueString="""#),
        "defaultValueString: none -> \"\""
      ),
      (
        title(#"attributeType="Integer 16""#), title(#"attributeType="Double""#),
        "attributeType: Integer 16 -> Double"
      ),
      (
        owner(#"optional="YES" maxCount="1""#), owner(#"optional="YES" toMany="YES""#), "toMany: none -> YES"
      ),
      (
        owner(#"optional="YES" toMany="YES""#), owner(#"optional="YES" toMany="YES" ordered="YES""#),
        "ordered: none -> YES"
      ),
      (#"<entity name="A"/>"#, #"<entity name="A"/><entity name="B" parentEntity="A"/>"#, "added"),
    ]
  )
  func lightweight(old: String, new: String, change: String) throws {
    let difference = ModelDifference(from: try Self.document(old), to: try Self.document(new))
    #expect(difference.isLightweight, "\(difference.obstacles)")
    #expect(difference.changes.contains { $0.change == change }, "\(difference.changes)")
  }

  @Test(
    "A difference that a lightweight migration does not support has an obstacle",
    arguments: [
      (
        title(#"attributeType="String""#), title(#"attributeType="Date""#), "entity Note, attribute title"
      ),
      (
        owner(#"optional="YES" toMany="YES""#), owner(#"optional="YES" maxCount="1""#),
        "entity Note, relationship owner"
      ),
      (
        owner(#"optional="YES" maxCount="1""#), owner(#"optional="YES" maxCount="1""#, "Team"),
        "entity Note, relationship owner"
      ),
      (
        #"<entity name="A"/><entity name="B"/>"#,
        #"""
        <entity name="C"/><entity name="A" parentEntity="C"/><entity name="B" parentEntity="C"/>
        """#,
        "entity C"
      ),
    ]
  )
  func obstacles(old: String, new: String, subject: String) throws {
    let difference = ModelDifference(from: try Self.document(old), to: try Self.document(new))
    #expect(difference.obstacles.map(\.subject) == [subject], "\(difference.changes)")
  }

  @Test(
    "A difference that a lightweight migration supports if no object lacks a value has that condition",
    arguments: [
      (#"<entity name="Note"/>"#, title(#"attributeType="String""#), "entity Note, attribute title"),
      (
        title(#"attributeType="String" optional="YES""#), title(#"attributeType="String""#),
        "entity Note, attribute title"
      ),
      (
        owner(#"optional="YES" maxCount="1""#), owner(#"maxCount="1""#), "entity Note, relationship owner"
      ),
    ]
  )
  func conditions(old: String, new: String, subject: String) throws {
    let difference = ModelDifference(from: try Self.document(old), to: try Self.document(new))
    #expect(difference.isLightweight)
    #expect(difference.conditions.map(\.subject) == [subject], "\(difference.changes)")
  }

  @Test("The difference finds renamed things, also across several versions")
  func renamed() throws {
    let first = try Self.document(
      #"<entity name="Car"><attribute name="color" attributeType="String"/></entity>"#
    )
    let second = try Self.document(
      """
      <entity name="Auto" elementID="Car"><attribute name="paint" elementID="color" attributeType="String"/></entity>
      """
    )
    let third = try Self.document(
      """
      <entity name="Vehicle" elementID="Car"><attribute name="coat" elementID="color" attributeType="String"/>\
      </entity>
      """
    )
    for (old, new, names) in [
      (first, second, ["Car", "color"]), (second, third, ["Auto", "paint"]),
      (first, third, ["Car", "color"]),
    ] {
      let difference = ModelDifference(from: old, to: new)
      #expect(difference.changes.map(\.change) == names.map { "renamed from \($0)" })
      #expect(difference.isLightweight)
    }
  }

  @Test("The difference finds entities and properties that moved in the hierarchy")
  func moved() throws {
    let old = try Self.document(
      """
      <entity name="A"><attribute name="x" attributeType="String" optional="YES"/></entity>
      <entity name="B" parentEntity="A"><attribute name="y" attributeType="String" optional="YES"/></entity>
      """
    )
    let new = try Self.document(
      """
      <entity name="A"><attribute name="y" attributeType="String" optional="YES"/></entity>
      <entity name="B" parentEntity="A"><attribute name="x" attributeType="String" optional="YES"/></entity>
      """
    )
    let difference = ModelDifference(from: old, to: new)
    #expect(difference.isLightweight)
    let changes = difference.changes.map { "\($0.subject): \($0.change)" }
    #expect(changes.contains("entity B, attribute x: moved here from entity A"))
    #expect(changes.contains("entity B, attribute y: moved to entity A"))
  }

  @Test(
    "The difference between a model and itself is empty",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.contents
  )
  func same(path: String) throws {
    let document = try ModelDocument(contents: try Data(contentsOf: ModelFixtures.url(path)), file: path)
    #expect(ModelDifference(from: document, to: document).changes.isEmpty)
  }
}
