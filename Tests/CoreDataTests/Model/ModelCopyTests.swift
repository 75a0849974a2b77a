import CoreData
import Foundation
import Testing

@Suite("A copy of a model")
struct ModelCopyTests {
  private func copy(of model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    try #require(model.copy() as? NSManagedObjectModel)
  }

  @Test("a copy of a model does not refer to the original")
  func refersToItself() throws {
    let model = try ModelInCodeTests.harbourModel()
    let copy = try copy(of: model)
    let harbour = try #require(copy.entitiesByName["Harbour"])
    let ship = try #require(copy.entitiesByName["Ship"])
    #expect(harbour !== model.entitiesByName["Harbour"])
    let ships = try #require(harbour.relationshipsByName["ships"])
    #expect(ships.destinationEntity === ship)
    #expect(ships.inverseRelationship === ship.relationshipsByName["harbour"])
    #expect(ship.relationshipsByName["harbour"]?.destinationEntity === harbour)
    #expect(ship.relationshipsByName["harbour"]?.inverseRelationship === ships)
    #expect(harbour.managedObjectModel === copy)
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test("a copy of a model in use can be changed")
  func canBeChanged() throws {
    let model = try ModelInCodeTests.harbourModel()
    model.freeze()
    let copy = try copy(of: model)
    copy.entitiesByName["Harbour"]?.attributesByName["name"]?.isOptional = true
    #expect(model.entitiesByName["Harbour"]?.attributesByName["name"]?.isOptional == false)
    #expect(copy.entitiesByName["Harbour"]?.versionHash != model.entitiesByName["Harbour"]?.versionHash)
  }

  @Test("a copy of a model keeps subentities, indexes, configurations and attribute settings")
  func keepsAll() throws {
    let model = NSManagedObjectModel()
    let child = ModelInCodeTests.entity("Child")
    let parent = ModelInCodeTests.entity("Parent", subentities: [child])
    parent.isAbstract = true
    parent.userInfo = ["a": 1]
    let name = try #require(parent.attributesByName["parent"])
    name.defaultValue = "x"
    name.userInfo = ["b": 2]
    name.renamingIdentifier = "old"
    name.allowsExternalBinaryDataStorage = true
    let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
    element.isAscending = false
    parent.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
    model.entities = [parent, child]
    model.setEntities([child], forConfigurationName: "C")
    model.versionIdentifiers = ["1"]
    let copy = try copy(of: model)
    let copied = try #require(copy.entitiesByName["Parent"])
    #expect(copied.isAbstract)
    #expect(copied.userInfo?["a"] as? Int == 1)
    #expect(copied.subentities.map(\.name) == ["Child"])
    #expect(copy.entitiesByName["Child"]?.superentity === copied)
    let index = try #require(copied.indexes.first)
    #expect(index.entity === copied)
    #expect(index.elements.map(\.propertyName) == ["parent"])
    #expect(index.elements.first?.property === copied.attributesByName["parent"])
    #expect(index.elements.first?.isAscending == false)
    #expect(copied.attributesByName["parent"]?.defaultValue as? String == "x")
    #expect(copied.attributesByName["parent"]?.renamingIdentifier == "old")
    #expect(copied.attributesByName["parent"]?.allowsExternalBinaryDataStorage == true)
    #expect(copy.entities(forConfigurationName: "C")?.map(\.name) == ["Child"])
    #expect(copy.versionIdentifiers == ["1"])
  }
}
