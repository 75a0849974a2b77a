import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Migrating composite attributes")
struct CompositeMigrationTests {
  private static func model(_ attributes: String, _ elements: String, entity: String = "Place") -> String {
    """
    <entity name="\(entity)" elementID="Place"><attribute name="name" attributeType="String" optional="YES"/>
    \(attributes)</entity><composite name="Position">\(elements)</composite>
    <composite name="Accuracy"><attribute name="horizontal" attributeType="Integer 16" optional="YES"/>
    <attribute name="vertical" attributeType="Integer 16" optional="YES"/></composite>
    """
  }

  private static func element(_ name: String, _ type: String, _ rest: String = #"optional="YES""#) -> String {
    #"<attribute name="\#(name)" attributeType="\#(type)" \#(rest)/>"#
  }

  private static func position(_ name: String = "position", _ rest: String = #"optional="YES""#) -> String {
    #"<attribute name="\#(name)" attributeType="Composite" composite="Position" \#(rest)/>"#
  }

  /// The modifier changes the version hash, which does not depend on the elements of the attribute.
  private static let changedPosition = position("position", #"optional="YES" versionHashModifier="2""#)

  private static let elements =
    element("latitude", "Double") + element("label", "String")
    + #"<attribute name="accuracy" attributeType="Composite" composite="Accuracy" optional="YES"/>"#

  /// A store with two places, one of which has a position.
  private func store(_ kind: StoreKind) throws -> VersionedStore {
    try VersionedStore(Self.model(Self.position(), Self.elements), on: kind) { context in
      let accuracy = ["horizontal": 3, "vertical": 4]
      context.make(
        "Place",
        ["name": "a", "position": ["latitude": 48.5, "label": "x", "accuracy": accuracy]]
      )
      context.make("Place", ["name": "b"])
    }
  }

  private func value(_ context: NSManagedObjectContext, _ path: String, _ entity: String = "Place") throws
    -> Any?
  {
    try #require(try context.all(entity).first).value(forKeyPath: path)
  }

  @Test("all elements are kept when the entity grows or is renamed", arguments: MigrationWay.allCases)
  func kept(_ way: MigrationWay) throws {
    let store = try store(way.kind)
    for (entity, more) in [("Place", Self.element("added", "String")), ("Site", "")] {
      let model = Self.model(Self.position() + more, Self.elements, entity: entity)
      let context = try store.migrate(model, way)
      #expect(try value(context, "position.latitude", entity) as? Double == 48.5)
      #expect(try value(context, "position.label", entity) as? String == "x")
      #expect(try value(context, "position.accuracy.horizontal", entity) as? Int == 3)
      #expect(try value(context, "position.accuracy.vertical", entity) as? Int == 4)
      #expect(try context.all(entity)[1].value(forKey: "position") == nil)
      try store.expectFreshSchema(model)
    }
  }

  @Test(
    "renamed attributes and elements keep their values, and numbers are converted",
    arguments: MigrationWay.allCases
  )
  func renamed(_ way: MigrationWay) throws {
    let store = try store(way.kind)
    let model = Self.model(
      Self.position("place", #"optional="YES" elementID="position""#),
      Self.element("width", "Float", #"optional="YES" elementID="latitude""#)
        + Self.element("label", "String")
        + #"<attribute name="exactness" attributeType="Composite" composite="Accuracy" optional="YES" elementID="accuracy"/>"#
    )
    let context = try store.migrate(model, way)
    #expect(try value(context, "place.width") as? Double == 48.5)
    #expect(try value(context, "place.label") as? String == "x")
    #expect(try value(context, "place.exactness.vertical") as? Int == 4)
    try store.expectFreshSchema(model)
  }

  @Test("removed elements are dropped, and new ones get their defaults", arguments: MigrationWay.allCases)
  func elements(_ way: MigrationWay) throws {
    let store = try store(way.kind)
    let model = Self.model(
      Self.changedPosition,
      Self.element("label", "String")
        + Self.element("count", "Integer 16", #"optional="YES" defaultValueString="7""#)
    )
    let context = try store.migrate(model, way)
    #expect(
      try value(context, "position") as? [String: NSObject] == [
        "label": "x" as NSString, "count": 7 as NSNumber,
      ]
    )
    #expect(try context.all("Place")[1].value(forKeyPath: "position.count") as? Int == 7)
    try store.expectFreshSchema(model)
  }

  @Test("a required composite attribute with default elements is added", arguments: MigrationWay.allCases)
  func added(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.model("", Self.elements), on: way.kind) {
      $0.make("Place", ["name": "a"])
    }
    let model = Self.model(
      Self.position("position", ""),
      Self.element("latitude", "Double", #"optional="YES" defaultValueString="1.5""#)
        + Self.element("label", "String", #"optional="YES" defaultValueString="new""#)
    )
    let context = try store.migrate(model, way)
    #expect(try value(context, "position.latitude") as? Double == 1.5)
    #expect(try value(context, "position.label") as? String == "new")
  }

  @Test("a required composite attribute without values is refused", arguments: MigrationWay.allCases)
  func required(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.model("", Self.elements), on: way.kind) {
      $0.make("Place", ["name": "a"])
    }
    let before = try store.dump()
    #expect(throws: NSError.self) {
      try store.migrate(Self.model(Self.position("position", ""), Self.elements), way)
    }
    #expect(try store.dump() == before)
  }

  @Test("no mapping is inferred for an element whose values cannot be kept")
  func obstacle() throws {
    let store = try store(.sqlite)
    let model = Self.model(Self.changedPosition, Self.element("label", "Date"))
    let error = #expect(throws: NSError.self) { try store.migrate(model) }
    #expect(error?.code == NSMigrationMissingMappingModelError)
    #expect(error?.localizedDescription.contains("position.label") == true, "\(String(describing: error))")
  }
}
