import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("A lightweight migration of entities")
struct EntityMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static func entity(_ name: String, _ rest: String = "", _ properties: String = Self.name) -> String {
    "<entity name=\"\(name)\" \(rest)>\(properties)</entity>"
  }

  @Test("entities are added, removed, renamed and renumbered", arguments: MigrationWay.allCases)
  func changed(_ way: MigrationWay) throws {
    let store = try VersionedStore(Self.entity("B") + Self.entity("C") + Self.entity("D"), on: way.kind) {
      $0.make("B", ["name": "b"])
      $0.make("C", ["name": "c"])
      for name in ["d", "e"] { $0.make("D", ["name": name]) }
    }
    let new = Self.entity("A") + Self.entity("D") + Self.entity("Z", #"elementID="B""#)
    let context = try store.migrate(new, way)
    #expect(try context.texts("A") == [])
    #expect(try context.texts("D") == ["d", "e"])
    #expect(try context.texts("Z") == ["b"])
    context.make("D", ["name": "f"])
    try context.save()
    try store.close()
    try store.expectFreshSchema(new)
    // A PostgreSQL store keeps the entity numbers.
    if way.kind.isPostgreSQL { return }
    #expect(try store.query("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [0, 3, 1])
    #expect(try store.query("SELECT DISTINCT Z_ENT FROM ZD") == [2])
  }

  @Test("an entity can get a parent, and another one can lose its parent", arguments: MigrationWay.allCases)
  func hierarchy(_ way: MigrationWay) throws {
    let old = Self.entity("Cat") + Self.entity("Plant") + Self.entity("Moss", #"parentEntity="Plant""#, "")
    let new =
      Self.entity("Animal", #"isAbstract="YES""#) + Self.entity("Cat", #"parentEntity="Animal""#, "")
      + Self.entity("Plant") + Self.entity("Moss")
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Cat", ["name": "cat"])
      $0.make("Plant", ["name": "plant"])
      $0.make("Moss", ["name": "moss"])
    }
    let context = try store.migrate(new, way)
    #expect(try context.texts("Animal") == ["cat"])
    #expect(try context.all("Animal").map(\.entity.name) == ["Cat"])
    #expect(try context.texts("Plant") == ["plant"])
    #expect(try context.texts("Moss") == ["moss"])
    for name in ["Cat", "Plant", "Moss"] { context.make(name, ["name": "new"]) }
    try context.save()
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("properties can move up and down a hierarchy", arguments: MigrationWay.allCases)
  func moved(_ way: MigrationWay) throws {
    let age = #"<attribute name="age" attributeType="Integer 16" optional="YES"/>"#
    let old = Self.entity("Animal") + Self.entity("Cat", #"parentEntity="Animal""#, age)
    let new =
      Self.entity("Animal", "", age) + Self.entity("Cat", #"parentEntity="Animal""#, Self.name)
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Animal", ["name": "animal"])
      $0.make("Cat", ["name": "cat", "age": 4])
    }
    let context = try store.migrate(new, way)
    #expect(try context.texts("Cat") == ["cat"])
    let ages = try context.all("Animal", by: "age").map { $0.value(forKey: "age") as? Int }
    #expect(ages == [nil, 4])
  }

  @Test("an entity within a hierarchy is removed with its objects", arguments: MigrationWay.allCases)
  func removedSubentity(_ way: MigrationWay) throws {
    let old =
      Self.entity("Animal") + Self.entity("Cat", #"parentEntity="Animal""#, "")
      + Self.entity("Dog", #"parentEntity="Animal""#, "")
      + Self.entity(
        "Owner",
        "",
        Self.name
          + #"<relationship name="pet" optional="YES" maxCount="1" destinationEntity="Animal"/>"#
      )
    let new =
      Self.entity("Animal") + Self.entity("Dog", #"parentEntity="Animal""#, "")
      + Self.entity(
        "Owner",
        "",
        Self.name
          + #"<relationship name="pet" optional="YES" maxCount="1" destinationEntity="Animal"/>"#
      )
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("Owner", ["name": "a", "pet": $0.make("Cat", ["name": "cat"])])
      $0.make("Owner", ["name": "b", "pet": $0.make("Dog", ["name": "dog"])])
    }
    let context = try store.migrate(new, way)
    #expect(try context.texts("Animal") == ["dog"])
    let owners = try context.all("Owner")
    #expect(owners.map { $0.object("pet")?.text() } == [nil, "dog"])
    #expect(owners[1].object("pet")?.entity.name == "Dog")
    try store.close()
    try store.expectFreshSchema(new)
  }

  @Test("changed constraints and indexes are applied", arguments: MigrationWay.allCases)
  func constraints(_ way: MigrationWay) throws {
    let constraint = """
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
      </uniquenessConstraints>
      """
    let index = """
      <fetchIndex name="byAge"><fetchIndexElement property="age" type="Binary" order="descending"/></fetchIndex>
      """
    let age = #"<attribute name="age" attributeType="Integer 16" optional="YES"/>"#
    let old = Self.entity("A", "", Self.name + age + index) + Self.entity("B", "", Self.name + constraint)
    let new =
      Self.entity("A", "", Self.name + age + constraint) + Self.entity("B", "", Self.name + age + index)
    let store = try VersionedStore(old, on: way.kind) {
      $0.make("A", ["name": "a"])
      $0.make("B", ["name": "b"])
    }
    let context = try store.migrate(new, way)
    #expect(try context.texts("A") == ["a"])
    context.make("B", ["name": "b"])
    try context.save()
    try store.close()
    try store.expectFreshSchema(new)
  }
}
