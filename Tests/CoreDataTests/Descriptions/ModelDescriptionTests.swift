import CoreData
import Foundation
import TestModels
import Testing

@Suite("Descriptions of models")
struct ModelDescriptionTests {
  private let attributeTail = """
    validation predicates (
    ), warnings (
    ), versionHashModifier (null)
     userInfo {
    }
    """

  @Test("an attribute prints its settings")
  func attributes() throws {
    let attribute = makeAttribute("rating", .integer64AttributeType, default: 3)
    #expect(
      masked(attribute) == """
        (<NSAttributeDescription: 0x…>), name rating, isOptional 1, isTransient 0, entity (null), \
        renamingIdentifier rating, \(attributeTail), attributeType 300 , attributeValueClassName NSNumber, \
        defaultValue 3, preservesValueInHistoryOnDeletion NO
        """
    )
    attribute.setValidationPredicates(
      [NSPredicate(format: "SELF > 1")],
      withValidationWarnings: ["too small"]
    )
    attribute.userInfo = ["key": "a b"]
    #expect(
      masked(attribute).contains(
        "validation predicates (\n    \"SELF > 1\"\n), warnings (\n    \"too small\"\n)"
      )
    )
    #expect(masked(attribute).contains("userInfo {\n    key = \"a b\";\n}"))
    let date = makeAttribute("at", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 0))
    #expect(masked(date).contains("defaultValue \"2001-01-01 00:00:00 +0000\","))
  }

  @Test(
    "a relationship, a fetched property, a derived and a composite attribute print their own settings"
  )
  func otherProperties() throws {
    let note = try #require(TestModel.shared.entitiesByName["Note"])
    let category = try #require(note.relationshipsByName["category"])
    #expect(
      masked(category) == """
        (<NSRelationshipDescription: 0x…>), name category, isOptional 1, isTransient 0, entity Note, \
        renamingIdentifier category, \(attributeTail), destinationEntity Category, inverseRelationship notes, \
        minCount 0, maxCount 1, isOrdered 0, deleteRule nullify
        """
    )
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "similar"
    #expect(masked(fetched).hasSuffix("}, fetchRequest (null)"))
    fetched.fetchRequest = NSFetchRequest(entityName: "Note")
    #expect(masked(fetched).contains("}, fetchRequest <NSFetchRequest: 0x…> (entity: Note;"))
    let album = try #require(GraphModel.shared.entitiesByName["Album"])
    #expect(
      masked(try #require(album.attributesByName["loudName"])).hasSuffix(
        "derivationExpression uppercase:(name)"
      )
    )
    let place = try #require(GraphModel.shared.entitiesByName["Place"])
    #expect(
      masked(try #require(place.attributesByName["position"])).hasSuffix(
        "elements (\n    latitude,\n    label,\n    accuracy\n)"
      )
    )
  }

  @Test("an entity prints its settings, with its properties by name")
  func entities() throws {
    let entity = makeEntity("Amount", NSManagedObject.self, [makeAttribute("abc")])
    entity.managedObjectClassName = "NSManagedObject"
    entity.uniquenessConstraints = [["abc"]]
    #expect(
      masked(entity) == #"""
        (<NSEntityDescription: 0x…>) name Amount, managedObjectClassName NSManagedObject, \#
        renamingIdentifier Amount, isAbstract 0, superentity name (null), properties {
            abc = "(<NSAttributeDescription: 0x…>), name abc, isOptional 1, isTransient 0, entity Amount, \#
        renamingIdentifier abc, validation predicates (\n), warnings (\n), versionHashModifier (null)\n \#
        userInfo {\n}, attributeType 700 , attributeValueClassName NSString, defaultValue (null), \#
        preservesValueInHistoryOnDeletion NO";
        }, subentities {
        }, userInfo {
        }, versionHashModifier (null), uniquenessConstraints (
            (
                abc
            )
        )
        """#
    )
  }

  @Test("a model prints its entities with the names of their properties, and its templates")
  func models() throws {
    let model = NSManagedObjectModel()
    let entity = makeEntity("Item", NSManagedObject.self, [makeAttribute("name"), makeAttribute("amount")])
    model.entities = [entity]
    model.setFetchRequestTemplate(NSFetchRequest(entityName: "Item"), forName: "Test")
    #expect(
      masked(model) == """
        (<NSManagedObjectModel: 0x…>) isEditable 1, entities {
            Item = (amount, name);
        }, fetch request templates {
            Test = "<NSFetchRequest: 0x…> (entity: Item; predicate: ((null)); sortDescriptors: ((null)); \
        type: NSManagedObjectResultType; )";
        }
        """
    )
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    #expect(masked(model).contains("isEditable 0"))
  }

  @Test("an index and its elements print the indexed properties")
  func indexes() throws {
    let name = makeAttribute("name")
    let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
    element.isAscending = false
    let index = NSFetchIndexDescription(name: "byName", elements: [element])
    index.partialIndexPredicate = NSPredicate(format: "name != nil")
    #expect(
      masked(index) == """
        <NSFetchIndexDescription: 0x…> (name: byName; entity: (null); elements: (
            "name descending"
        ); partialIndexPredicate: (name != nil))
        """
    )
    #expect(
      masked(element)
        == "<NSFetchIndexElementDescription: 0x…> (property: name; collationType: binary; isAscending: 0)"
    )
  }

  @Test("mapping models, mappings and stages print their source and destination")
  func migrations() throws {
    let mapping = NSEntityMapping()
    mapping.name = "NoteToNote"
    mapping.mappingType = .transformEntityMappingType
    mapping.sourceEntityName = "Note"
    mapping.destinationEntityName = "Note"
    let title = NSPropertyMapping()
    title.name = "title"
    title.valueExpression = NSExpression(forKeyPath: "name")
    mapping.attributeMappings = [title]
    #expect(masked(title) == "<NSPropertyMapping: 0x…> (name: title; valueExpression: name)")
    #expect(
      masked(mapping) == """
        <NSEntityMapping: 0x…> (name: NoteToNote; mappingType: transform; sourceEntityName: Note; \
        destinationEntityName: Note; attributeMappings: (
            "title = name"
        ); relationshipMappings: (null))
        """
    )
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    #expect(
      masked(model) == """
        <NSMappingModel: 0x…> (entityMappings: (
            "NoteToNote: transform Note to Note"
        ))
        """
    )
    let stage = NSLightweightMigrationStage(["abc"])
    stage.label = "first"
    #expect(
      masked(stage) == "<NSLightweightMigrationStage: 0x…> (label: first; versionChecksums: (\n    abc\n))"
    )
  }
}
