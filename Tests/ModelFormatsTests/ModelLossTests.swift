import Foundation
import ModelFormats
import Testing

@Suite("The losses of a lightweight migration")
struct ModelLossTests {
  private static func attribute(_ name: String, _ rest: String) -> String {
    "<attribute name=\"\(name)\" \(rest)/>"
  }

  private static func note(_ properties: String) -> String { "<entity name=\"Note\">\(properties)</entity>" }

  private static func tags(_ rest: String) -> String {
    note("<relationship name=\"tags\" optional=\"YES\" destinationEntity=\"Tag\" \(rest)/>")
      + "<entity name=\"Tag\"/>"
  }

  private static let text = attribute("text", #"optional="YES" attributeType="String""#)
  private static let unique = """
    <uniquenessConstraints><uniquenessConstraint><constraint value="text"/></uniquenessConstraint></uniquenessConstraints>
    """

  private static func loss(_ old: String, _ new: String) throws -> ModelLoss {
    let documents = try [old, new].map { entities in
      let document = try ModelDocument(contents: Data("<model>\(entities)</model>".utf8))
      try document.check()
      return document
    }
    return ModelLoss(ModelCorrespondence(from: documents[0], to: documents[1]))
  }

  @Test(
    "No loss is reported if the newer version has everything of the older one",
    arguments: [
      (note(""), note(text) + #"<entity name="Tag"/>"#),
      (note(text), note(attribute("body", #"elementID="text" optional="YES" attributeType="String""#))),
      (note(text), #"<entity name="Item" elementID="Note">\#(text)</entity>"#),
      (
        note(attribute("n", #"optional="YES" attributeType="Integer 16""#)),
        note(attribute("n", #"optional="YES" attributeType="Integer 64""#))
      ),
      (
        note(attribute("n", #"optional="YES" attributeType="Float""#)),
        note(attribute("n", #"optional="YES" attributeType="Double""#))
      ),
      (note(attribute("text", #"attributeType="String""#)), note(text)),
      (tags(#"maxCount="1""#), tags(#"toMany="YES""#)),
      (tags(#"toMany="YES""#), tags(#"toMany="YES" ordered="YES""#)),
      (note(text), note(text + unique)),
      (note(attribute("text", #"transient="YES" optional="YES" attributeType="String""#)), note("")),
      (
        note(
          text
            + attribute(
              "at",
              #"optional="YES" attributeType="Date" derived="YES" derivationExpression="now:()""#
            )
        ),
        note(text)
      ),
      (
        #"<entity name="Base" isAbstract="YES">\#(text)</entity><entity name="Note" parentEntity="Base"/>"#,
        note(text)
      ),
    ]
  )
  func nothing(_ old: String, _ new: String) throws {
    let loss = try Self.loss(old, new)
    #expect(loss.isEmpty && loss.words == "", "\(loss.words)")
  }

  @Test(
    "Each loss of a lightweight migration is named",
    arguments: [
      (note(text) + #"<entity name="Tag"/>"#, note(text), "the objects of Tag"),
      (note(text), note(""), "the values of Note.text"),
      (tags(#"maxCount="1""#), note("") + #"<entity name="Tag"/>"#, "the destinations of Note.tags"),
      (
        note(text), note(attribute("text", #"transient="YES" optional="YES" attributeType="String""#)),
        "the values of Note.text"
      ),
      (
        note(attribute("n", #"optional="YES" attributeType="Integer 64""#)),
        note(attribute("n", #"optional="YES" attributeType="Integer 16""#)),
        "values of Note.n, which become Integer 16"
      ),
      (
        note(attribute("n", #"optional="YES" attributeType="Double""#)),
        note(attribute("n", #"optional="YES" attributeType="Integer 64""#)),
        "values of Note.n, which become Integer 64"
      ),
      (
        note(text), note(attribute("text", #"attributeType="String" defaultValueString="a""#)),
        "which objects have no value of Note.text"
      ),
      (tags(#"toMany="YES""#), tags(#"maxCount="1""#), "the destinations of Note.tags"),
      (tags(#"toMany="YES" ordered="YES""#), tags(#"toMany="YES""#), "the order of Note.tags"),
      (note(text + unique), note(text), "the uniqueness of Note by text"),
      (
        #"<entity name="Base">\#(text)</entity><entity name="Note" parentEntity="Base"/>"#,
        #"<entity name="Base"/><entity name="Note" parentEntity="Base"/>"#, "the values of Base.text"
      ),
      (
        #"<entity name="Base"/><entity name="Note" parentEntity="Base">\#(text)</entity>"#,
        #"<entity name="Base"/><entity name="Note" isAbstract="YES" parentEntity="Base">\#(text)</entity>"#,
        "the objects of Note"
      ),
    ]
  )
  func named(_ old: String, _ new: String, _ words: String) throws {
    let loss = try Self.loss(old, new)
    #expect(!loss.isEmpty)
    #expect(loss.words == words)
  }

  @Test("Losses of the elements of composite attributes are reported")
  func composites() throws {
    func model(_ elements: String) -> String {
      """
      <composite name="Place">\(elements)</composite>\
      <entity name="Note"><attribute name="place" optional="YES" attributeType="Composite" \
      composite="Place"/></entity>
      """
    }
    let city = Self.attribute("city", #"optional="YES" attributeType="String""#)
    let street = Self.attribute("street", #"optional="YES" attributeType="String""#)
    let way = Self.attribute("way", #"elementID="street" optional="YES" attributeType="String""#)
    #expect(try Self.loss(model(city), model(city + street)).isEmpty)
    #expect(try Self.loss(model(city + street), model(city + way)).isEmpty)
    let loss = try Self.loss(model(city + street), model(city))
    #expect(loss.words == "the values of Note.place.street")
    #expect(loss.properties == ["Note.place.street"])
  }

  @Test("The loss of an element is reported if two others took its name and its identifier")
  func exchangedElements() throws {
    func model(_ elements: String) -> String {
      """
      <composite name="Place">\(elements)</composite>\
      <entity name="Note"><attribute name="place" optional="YES" attributeType="Composite" \
      composite="Place"/></entity>
      """
    }
    let optional = #"optional="YES" attributeType="String""#
    let (city, street) = (Self.attribute("city", optional), Self.attribute("street", optional))
    // The attribute gets the values of the street, so the values of the city are lost.
    let renamed = Self.attribute("city", #"elementID="street" "# + optional)
    let loss = try Self.loss(model(city + street), model(renamed))
    #expect(loss.words == "the values of Note.place.city")
    #expect(loss.removals == [ModelLoss.Removal(entity: "Note", property: "Note.place.city")])
    #expect(loss.removals.map(\.keyPath) == ["place.city"])
    let exchanged = renamed + Self.attribute("street", #"elementID="city" "# + optional)
    #expect(try Self.loss(model(city + street), model(exchanged)).isEmpty)
  }

  @Test("A narrower type or a removed order removes nothing; a to-one relationship keeps one object")
  func removals() throws {
    let wide = Self.note(Self.attribute("n", #"optional="YES" attributeType="Integer 64""#))
    let narrow = Self.note(Self.attribute("n", #"optional="YES" attributeType="Integer 16""#))
    #expect(try Self.loss(wide, narrow).removals.isEmpty)
    let (ordered, unordered) = (Self.tags(#"toMany="YES" ordered="YES""#), Self.tags(#"toMany="YES""#))
    #expect(try Self.loss(ordered, unordered).removals.isEmpty)
    let toOne = try Self.loss(unordered, Self.tags(#"maxCount="1""#))
    #expect(
      toOne.removals == [ModelLoss.Removal(entity: "Note", property: "Note.tags", keptCount: 1)]
    )
  }

  @Test("All losses are reported in order, with the entities of the store and of the new version")
  func parts() throws {
    let old =
      Self.note(Self.text + Self.attribute("n", #"optional="YES" attributeType="Integer 16""#))
      + #"<entity name="Tag"/>"#
    let loss = try Self.loss(old, Self.note(""))
    #expect(loss.words == "the values of Note.n, the values of Note.text, the objects of Tag")
    #expect(loss.entities == ["Tag"])
    #expect(loss.properties == ["Note.n", "Note.text"])
    #expect(loss.removals.map(\.name) == ["Note.n", "Note.text", "Tag"])
    #expect(loss.removals.map(\.entity) == ["Note", "Note", "Tag"])
    #expect(loss.removals.map(\.keyPath) == ["n", "text", nil])
    let document = try ModelDocument(contents: Data("<model>\(old)</model>".utf8))
    let correspondence = ModelCorrespondence(from: document, to: document)
    #expect(ModelLoss(correspondence).isEmpty)
    #expect(ModelLoss(correspondence, remaining: ["Note"]).entities == ["Tag"])
    #expect(ModelLoss(correspondence, stored: ["Note"], remaining: ["Note"]).isEmpty)
  }
}
