import CoreData
import Foundation
import Testing

@Suite("A copy of a model")
struct ModelCopyTests {
  private func copy(of model: NSManagedObjectModel) throws -> NSManagedObjectModel {
    try #require(model.copy() as? NSManagedObjectModel)
  }

  @Test("refers to nothing of the original")
  func refersToItself() throws {
    let model = try ModelInCodeTests.citiesModel()
    let copy = try copy(of: model)
    let city = try #require(copy.entitiesByName["City"])
    let neighborhood = try #require(copy.entitiesByName["Neighborhood"])
    #expect(city !== model.entitiesByName["City"])
    let neighborhoods = try #require(city.relationshipsByName["neighborhoods"])
    #expect(neighborhoods.destinationEntity === neighborhood)
    #expect(neighborhoods.inverseRelationship === neighborhood.relationshipsByName["city"])
    #expect(neighborhood.relationshipsByName["city"]?.destinationEntity === city)
    #expect(neighborhood.relationshipsByName["city"]?.inverseRelationship === neighborhoods)
    #expect(city.managedObjectModel === copy)
    #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test("of a model in use can be changed")
  func canBeChanged() throws {
    let model = try ModelInCodeTests.citiesModel()
    model.freeze()
    let copy = try copy(of: model)
    copy.entitiesByName["City"]?.attributesByName["name"]?.isOptional = true
    #expect(model.entitiesByName["City"]?.attributesByName["name"]?.isOptional == false)
    #expect(copy.entitiesByName["City"]?.versionHash != model.entitiesByName["City"]?.versionHash)
  }

  @Test("keeps subentities, indexes, configurations and what attributes say")
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
