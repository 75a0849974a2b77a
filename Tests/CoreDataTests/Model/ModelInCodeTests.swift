import CoreData
import Foundation
import Testing

@Suite("A model built in code")
struct ModelInCodeTests {
  /// The model of the cities and their neighbourhoods, built step by step.
  static func citiesModel() throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let cityEntity = NSEntityDescription()
    cityEntity.name = "City"
    let neighborhoodEntity = NSEntityDescription()
    neighborhoodEntity.name = "Neighborhood"

    let nameAttribute = NSAttributeDescription()
    nameAttribute.name = "name"
    nameAttribute.attributeType = .stringAttributeType
    nameAttribute.isOptional = false
    nameAttribute.isIndexed = false
    let populationAttribute = NSAttributeDescription()
    populationAttribute.name = "population"
    populationAttribute.attributeType = NSAttributeType.integer64AttributeType
    populationAttribute.isOptional = false

    let cityRelationship = NSRelationshipDescription()
    let neighborhoodRelationship = NSRelationshipDescription()
    neighborhoodRelationship.name = "neighborhoods"
    neighborhoodRelationship.destinationEntity = neighborhoodEntity
    neighborhoodRelationship.minCount = 0
    neighborhoodRelationship.maxCount = 0
    neighborhoodRelationship.deleteRule = .cascadeDeleteRule
    neighborhoodRelationship.inverseRelationship = cityRelationship
    cityRelationship.name = "city"
    cityRelationship.destinationEntity = cityEntity
    cityRelationship.maxCount = 1
    cityRelationship.deleteRule = NSDeleteRule.nullifyDeleteRule
    cityRelationship.inverseRelationship = neighborhoodRelationship

    cityEntity.properties = [nameAttribute, populationAttribute, neighborhoodRelationship]
    neighborhoodEntity.properties = [
      try #require(nameAttribute.copy() as? NSPropertyDescription),
      try #require(populationAttribute.copy() as? NSPropertyDescription),
      cityRelationship,
    ]
    model.entities = [cityEntity, neighborhoodEntity]
    return model
  }

  /// An entity with an attribute of its own, named like the entity in lower case.
  static func entity(_ name: String, subentities: [NSEntityDescription] = []) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    let attribute = NSAttributeDescription()
    attribute.name = name.lowercased()
    attribute.type = .string
    entity.properties = [attribute]
    entity.subentities = subentities
    return entity
  }

  @Test("answers by name, with relationships that lead to each other")
  func answers() throws {
    let model = try Self.citiesModel()
    let city = try #require(model.entitiesByName["City"])
    let neighborhood = try #require(model.entitiesByName["Neighborhood"])
    #expect(city.attributesByName.keys.sorted() == ["name", "population"])
    #expect(city.propertiesByName.count == 3)
    #expect(neighborhood.attributesByName["name"] !== city.attributesByName["name"])
    let neighborhoods = try #require(city.relationshipsByName["neighborhoods"])
    let back = try #require(neighborhood.relationshipsByName["city"])
    #expect(neighborhoods.isToMany)
    #expect(!back.isToMany)
    #expect(neighborhoods.inverseRelationship === back)
    #expect(back.inverseRelationship === neighborhoods)
    #expect(neighborhoods.destinationEntity === neighborhood)
    #expect(city.relationships(forDestination: neighborhood) == [neighborhoods])
    #expect(city.managedObjectModel === model)
    #expect(city.managedObjectClassName == "NSManagedObject")
    #expect(neighborhoods.entity === city)
  }

  @Test("has Apple's defaults")
  func defaults() {
    let relationship = NSRelationshipDescription()
    #expect(relationship.maxCount == 0)
    #expect(relationship.minCount == 0)
    #expect(relationship.isToMany)
    #expect(relationship.deleteRule == .nullifyDeleteRule)
    #expect(relationship.isOptional)
    let attribute = NSAttributeDescription()
    attribute.name = "a"
    #expect(attribute.attributeType == .undefinedAttributeType)
    #expect(attribute.renamingIdentifier == "a")
    #expect(attribute.attributeValueClassName == nil)
    attribute.type = .decimal
    #expect(attribute.attributeType == .decimalAttributeType)
    #expect(attribute.attributeValueClassName == "NSDecimalNumber")
    #expect(NSCompositeAttributeDescription().attributeType == .compositeAttributeType)
  }

  @Test("gives default values back as numbers that cast to any type of number")
  func defaultValues() {
    let attribute = NSAttributeDescription()
    attribute.defaultValue = Int16(3)
    #expect(attribute.defaultValue as? Int == 3)
    #expect(attribute.defaultValue as? Int64 == 3)
    #expect(attribute.defaultValue as? Double == 3)
    attribute.defaultValue = true
    #expect(attribute.defaultValue as? Bool == true)
    attribute.defaultValue = Decimal(string: "1.5")
    #expect((attribute.defaultValue as? NSDecimalNumber)?.doubleValue == 1.5)
    attribute.defaultValue = nil
    #expect(attribute.defaultValue == nil)
  }

  @Test("lets subentities inherit, and add to their own properties only")
  func inheritance() throws {
    let leaf = Self.entity("Leaf")
    let branch = Self.entity("Branch", subentities: [leaf])
    let trunk = Self.entity("Trunk", subentities: [branch])
    #expect(leaf.properties.map(\.name) == ["trunk", "branch", "leaf"])
    let extra = NSAttributeDescription()
    extra.name = "extra"
    extra.type = .date
    leaf.properties.append(extra)
    #expect(leaf.properties.map(\.name) == ["trunk", "branch", "leaf", "extra"])
    #expect(branch.properties.map(\.name) == ["trunk", "branch"])
    #expect(leaf.attributesByName["trunk"]?.entity === trunk)
    #expect(leaf.superentity === branch)
    #expect(trunk.subentitiesByName["Branch"] === branch)
    #expect(leaf.isKindOf(entity: trunk))
    #expect(leaf.isKindOf(entity: leaf))
    #expect(!trunk.isKindOf(entity: leaf))
  }

  @Test("does not keep itself alive")
  func noLeak() throws {
    weak var model: NSManagedObjectModel?
    weak var entity: NSEntityDescription?
    weak var relationship: NSRelationshipDescription?
    do {
      let strong = try Self.citiesModel()
      strong.freeze()
      model = strong
      entity = strong.entitiesByName["City"]
      relationship = entity?.relationshipsByName["neighborhoods"]
      #expect(relationship != nil)
    }
    #expect(model == nil)
    #expect(entity == nil)
    #expect(relationship == nil)
  }

  @Test("keeps configurations by name")
  func configurations() throws {
    let model = try Self.citiesModel()
    let city = try #require(model.entitiesByName["City"])
    model.setEntities([city], forConfigurationName: "Cloud")
    #expect(model.configurations == ["Cloud"])
    #expect(model.entities(forConfigurationName: "Cloud") == [city])
    #expect(model.entities(forConfigurationName: nil)?.count == 2)
    #expect(model.entities(forConfigurationName: "None") == nil)
    let hashes = model.entityVersionHashesByName
    let metadata = ["NSStoreModelVersionHashes": ["City": hashes["City"] ?? Data()]]
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(
      model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": hashes])
    )
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
  }

  @Test("takes uniqueness constraints as names or as attributes, with the same hash")
  func constraints() throws {
    let byName = try Self.citiesModel()
    let byAttribute = try Self.citiesModel()
    let city = try #require(byAttribute.entitiesByName["City"])
    byName.entitiesByName["City"]?.uniquenessConstraints = [["name"]]
    city.uniquenessConstraints = [[try #require(city.attributesByName["name"])]]
    #expect(byName.entityVersionHashesByName == byAttribute.entityVersionHashesByName)
    let plain = try Self.citiesModel()
    #expect(plain.entitiesByName["City"]?.versionHash != city.versionHash)
  }
}
