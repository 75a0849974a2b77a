import CoreData
import Foundation
import Testing

@Suite("A model built in code")
struct ModelInCodeTests {
  /// Harbours and the ships in them. Both have a name and a draught, which are described once and copied.
  static func harbourModel() throws -> NSManagedObjectModel {
    let title = NSAttributeDescription()
    (title.name, title.type, title.isOptional, title.isIndexed) = ("name", .string, false, false)
    let draught = NSAttributeDescription()
    (draught.name, draught.attributeType, draught.isOptional) = ("draught", .integer64AttributeType, false)

    let (harbour, ship) = (NSEntityDescription(), NSEntityDescription())
    (harbour.name, ship.name) = ("Harbour", "Ship")
    let (ships, berth) = (NSRelationshipDescription(), NSRelationshipDescription())
    (ships.name, ships.destinationEntity, ships.inverseRelationship) = ("ships", ship, berth)
    (ships.minCount, ships.maxCount, ships.deleteRule) = (0, 0, .cascadeDeleteRule)
    (berth.name, berth.destinationEntity, berth.inverseRelationship) = ("harbour", harbour, ships)
    (berth.maxCount, berth.deleteRule) = (1, .nullifyDeleteRule)

    let copies = try [title, draught].map { try #require($0.copy() as? NSPropertyDescription) }
    harbour.properties = [title, draught, ships]
    ship.properties = copies + [berth]
    let model = NSManagedObjectModel()
    model.entities = [harbour, ship]
    return model
  }

  @Test("an entity that would inherit from itself stops the program")
  func inheritanceCycle() async {
    await #expect(processExitsWith: .failure) {
      let entity = ModelInCodeTests.entity("Ship")
      entity.subentities = [entity]
    }
    await #expect(processExitsWith: .failure) {
      let ferry = ModelInCodeTests.entity("Ferry")
      let ship = ModelInCodeTests.entity("Ship", subentities: [ferry])
      let vehicle = ModelInCodeTests.entity("Vehicle", subentities: [ship])
      ferry.subentities = [vehicle]
    }
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

  @Test("a model in code finds entities by name, with inverse relationships")
  func answers() throws {
    let model = try Self.harbourModel()
    let harbour = try #require(model.entitiesByName["Harbour"])
    let ship = try #require(model.entitiesByName["Ship"])
    #expect(harbour.attributesByName.keys.sorted() == ["draught", "name"])
    #expect(harbour.propertiesByName.count == 3)
    #expect(ship.attributesByName["name"] !== harbour.attributesByName["name"])
    let ships = try #require(harbour.relationshipsByName["ships"])
    let back = try #require(ship.relationshipsByName["harbour"])
    #expect(ships.isToMany)
    #expect(!back.isToMany)
    #expect(ships.inverseRelationship === back)
    #expect(back.inverseRelationship === ships)
    #expect(ships.destinationEntity === ship)
    #expect(harbour.relationships(forDestination: ship) == [ships])
    #expect(harbour.managedObjectModel === model)
    #expect(harbour.managedObjectClassName == "NSManagedObject")
    #expect(ships.entity === harbour)
  }

  @Test("a model in code has Apple's defaults")
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

  @Test("default values are returned as numbers that cast to any number type")
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

  @Test("subentities inherit properties, and own only their additional ones")
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

  @Test("a model in code does not retain itself")
  func noLeak() throws {
    weak var model: NSManagedObjectModel?
    weak var entity: NSEntityDescription?
    weak var relationship: NSRelationshipDescription?
    do {
      let strong = try Self.harbourModel()
      strong.freeze()
      model = strong
      entity = strong.entitiesByName["Harbour"]
      relationship = entity?.relationshipsByName["ships"]
      #expect(relationship != nil)
    }
    #expect(model == nil)
    #expect(entity == nil)
    #expect(relationship == nil)
  }

  @Test("each model has the default configuration with all entities, by the name that stores have it under")
  func defaultConfiguration() throws {
    let model = try Self.harbourModel()
    let name = "PF_DEFAULT_CONFIGURATION_NAME"
    #expect(model.configurations == [name])
    #expect(model.entities(forConfigurationName: name) == model.entities)
    let harbour = try #require(model.entitiesByName["Harbour"])
    model.setEntities([harbour], forConfigurationName: name)
    #expect(model.entities(forConfigurationName: name)?.count == 2)
    let metadata = ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
    #expect(model.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for configuration in [nil, name] {
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: configuration,
        at: nil
      )
      #expect(model.entities(forConfigurationName: store.configurationName)?.count == 2)
    }
  }

  @Test("a model in code keeps configurations by name")
  func configurations() throws {
    let model = try Self.harbourModel()
    let harbour = try #require(model.entitiesByName["Harbour"])
    model.setEntities([harbour], forConfigurationName: "Cloud")
    #expect(model.configurations == ["Cloud", "PF_DEFAULT_CONFIGURATION_NAME"])
    #expect(model.entities(forConfigurationName: "Cloud") == [harbour])
    #expect(model.entities(forConfigurationName: nil)?.count == 2)
    #expect(model.entities(forConfigurationName: "None") == nil)
    let hashes = model.entityVersionHashesByName
    let metadata = ["NSStoreModelVersionHashes": ["Harbour": hashes["Harbour"] ?? Data()]]
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(
      model.isConfiguration(withName: nil, compatibleWithStoreMetadata: ["NSStoreModelVersionHashes": hashes])
    )
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
  }

  @Test("uniqueness constraints have the same hash as names or as attributes")
  func constraints() throws {
    let byName = try Self.harbourModel()
    let byAttribute = try Self.harbourModel()
    let harbour = try #require(byAttribute.entitiesByName["Harbour"])
    byName.entitiesByName["Harbour"]?.uniquenessConstraints = [["name"]]
    harbour.uniquenessConstraints = [[try #require(harbour.attributesByName["name"])]]
    #expect(byName.entityVersionHashesByName == byAttribute.entityVersionHashesByName)
    let plain = try Self.harbourModel()
    #expect(plain.entitiesByName["Harbour"]?.versionHash != harbour.versionHash)
  }
}
