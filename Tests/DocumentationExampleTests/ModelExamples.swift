import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

// example: ValueTransformer.swift class ValueTransformer:
final class PathTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? [String]).map { Data($0.joined(separator: "/").utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0, as: UTF8.self).components(separatedBy: "/") }
  }
}
// end

@Suite("Examples of models that are made in code")
struct ModelExamples {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A context with a store of some entities.
  private func context(
    _ model: NSManagedObjectModel,
    _ type: NSPersistentStore.StoreType = .inMemory
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = type == .inMemory ? nil : folder.url.appendingPathComponent("store")
    try coordinator.addPersistentStore(type: type, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func plant(_ properties: NSPropertyDescription...) -> NSEntityDescription {
    makeEntity("Plant", NSManagedObject.self, [makeAttribute("name")] + properties)
  }

  private func insertPlant(_ values: [String: Any], into context: NSManagedObjectContext) -> NSManagedObject {
    let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
    plant.setValuesForKeys(values)
    return plant
  }

  @Test("an entity has attributes and constraints")
  func entity() throws {
    // example: NSEntityDescription.swift class NSEntityDescription
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType

    let plant = NSEntityDescription()
    plant.name = "Plant"
    plant.properties = [name]
    plant.uniquenessConstraints = [["name"]]

    let model = NSManagedObjectModel()
    model.entities = [plant]
    // end
    let context = try context(model)
    for _ in 1...2 { _ = insertPlant(["name": "Thyme"], into: context) }
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("a model is loaded from a file")
  func file() throws {
    // example: NSManagedObjectModel.swift class NSManagedObjectModel
    guard let file = Bundle.module.url(forResource: "Garden", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: file)
    else { fatalError("the program came without its model") }
    for entity in model.entities {
      print(entity.name ?? "", entity.attributesByName.keys.sorted())
    }
    let container = NSPersistentContainer(name: "Garden", managedObjectModel: model)
    // end
    #expect(container.managedObjectModel.entitiesByName.keys.sorted() == ["Bed", "Plant"])
  }

  @Test("a model that cannot be read has a reason")
  func load() throws {
    let url = folder.url.appendingPathComponent("Garden.momd")
    // example: NSManagedObjectModel+Loading.swift static func load(contentsOf
    do {
      let model = try NSManagedObjectModel.load(contentsOf: url)
      print(model.entities.count)
    } catch {
      print(error.localizedDescription)  // with the file, the line and the element
    }
    // end
    #expect(throws: (any Error).self) { try NSManagedObjectModel.load(contentsOf: url) }
  }

  @Test("an attribute has a type and a value that new objects begin with")
  func attribute() throws {
    // example: NSAttributeDescription.swift class NSAttributeDescription
    let height = NSAttributeDescription()
    height.name = "height"
    height.attributeType = .doubleAttributeType
    height.isOptional = false
    height.defaultValue = 0.1
    // end
    let context = try context(makeModel([plant(height)]))
    #expect(insertPlant([:], into: context).value(forKey: "height") as? Double == 0.1)
  }

  @Test("a relationship has an inverse, and a delete rule")
  func relationship() throws {
    // example: NSRelationshipDescription.swift class NSRelationshipDescription
    let (bed, plant) = (NSEntityDescription(), NSEntityDescription())
    let (plants, place) = (NSRelationshipDescription(), NSRelationshipDescription())
    plants.name = "plants"
    plants.destinationEntity = plant
    plants.deleteRule = .cascadeDeleteRule
    place.name = "bed"
    place.destinationEntity = bed
    place.maxCount = 1
    plants.inverseRelationship = place
    bed.properties = [plants]
    plant.properties = [place]
    // end
    place.inverseRelationship = plants
    bed.name = "Bed"
    plant.name = "Plant"
    let context = try context(makeModel([bed, plant]))
    let wall = NSEntityDescription.insertNewObject(forEntityName: "Bed", into: context)
    _ = insertPlant(["bed": wall], into: context)
    try context.save()
    context.delete(wall)
    try context.save()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Plant")) == 0)
  }

  @Test("constraints may be of several attributes together")
  func uniquenessConstraints() {
    let plant = plant(makeAttribute("place"), makeAttribute("label"))
    // example: NSEntityDescription.swift var uniquenessConstraints
    plant.uniquenessConstraints = [["name", "place"], ["label"]]
    // end
    #expect(plant.uniquenessConstraints.count == 2)
  }

  @Test("a subentity inherits the attributes")
  func subentities() {
    // example: NSEntityDescription.swift var subentities: [NSEntityDescription]
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let (plant, tree) = (NSEntityDescription(), NSEntityDescription())
    plant.name = "Plant"
    tree.name = "Tree"
    plant.isAbstract = true
    plant.properties = [name]
    plant.subentities = [tree]
    print(tree.attributesByName.keys.sorted())  // ["name"]
    // end
    #expect(tree.attributesByName.keys.sorted() == ["name"] && tree.superentity === plant)
  }

  @Test("an entity may have another name in the next version")
  func renamingIdentifier() throws {
    let old = makeModel([makeEntity("Herb", makeAttribute("name"))])
    // example: NSEntityDescription.swift var renamingIdentifier
    let plant = NSEntityDescription()
    plant.name = "Plant"
    plant.renamingIdentifier = "Herb"  // its name in the version before
    // end
    plant.properties = [makeAttribute("name")]
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old,
      destinationModel: makeModel([plant])
    )
    #expect(mapping.entityMappings.map(\.sourceEntityName) == ["Herb"])
  }

  @Test("an index is sorted by a property")
  func index() throws {
    let height = makeAttribute("height", .doubleAttributeType)
    let plant = plant(height)
    // example: NSFetchIndexDescription.swift class NSFetchIndexDescription
    let tallestFirst = NSFetchIndexElementDescription(property: height, collationType: .binary)
    tallestFirst.isAscending = false
    plant.indexes = [NSFetchIndexDescription(name: "byHeight", elements: [tallestFirst])]
    // end
    let context = try context(makeModel([plant]), .sqlite)
    _ = insertPlant(["height": 0.3], into: context)
    try context.save()
    #expect(plant.indexes.first?.entity === plant)
  }

  @Test("a derived attribute is computed by the store")
  func derivedAttribute() throws {
    // example: NSAttributeDescription.swift class NSDerivedAttributeDescription
    let searchName = NSDerivedAttributeDescription()
    searchName.name = "searchName"
    searchName.attributeType = .stringAttributeType
    searchName.derivationExpression = NSExpression(format: "canonical:(name)")
    // end
    let context = try context(makeModel([plant(searchName)]))
    let spinach = insertPlant(["name": "Épinard"], into: context)
    try context.save()
    #expect(spinach.value(forKey: "searchName") as? String == "epinard")
  }

  @Test("a composite consists of other attributes")
  func compositeAttribute() throws {
    // example: NSAttributeDescription.swift class NSCompositeAttributeDescription
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = ["row", "column"].map { name in
      let number = NSAttributeDescription()
      number.name = name
      number.attributeType = .integer32AttributeType
      return number
    }
    // end
    let context = try context(makeModel([plant(place)]))
    let thyme = insertPlant(["place": ["row": 2, "column": 5]], into: context)
    #expect(thyme.value(forKeyPath: "place.column") as? Int == 5)
  }

  @Test("a fetched property finds objects by a predicate")
  func fetchedProperty() throws {
    // example: NSFetchedPropertyDescription.swift class NSFetchedPropertyDescription
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
    request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE")
    let namesakes = NSFetchedPropertyDescription()
    namesakes.name = "namesakes"
    namesakes.fetchRequest = request
    // end
    let context = try context(makeModel([plant(namesakes)]))
    let plants = ["Thyme", "Thyme", "Sage"].map { insertPlant(["name": $0], into: context) }
    try context.save()
    #expect(plants[0].value(forKey: "namesakes") as? [NSManagedObject] == [plants[1]])
  }

  @Test("a value that does not fulfil the model's predicate is not saved")
  func validationPredicates() throws {
    let height = makeAttribute("height", .doubleAttributeType)
    // example: NSPropertyDescription.swift func setValidationPredicates
    height.setValidationPredicates(
      [NSPredicate(format: "SELF > 0 AND SELF < 100")],
      withValidationWarnings: ["a plant is between 0 and 100 metres tall"]
    )
    // end
    let context = try context(makeModel([plant(height)]))
    _ = insertPlant(["height": -1.0], into: context)
    #expect(throws: (any Error).self) { try context.save() }
  }

  @Test("a transformer keeps what no attribute type does")
  func valueTransformer() throws {
    // example: NSAttributeDescription.swift var valueTransformerName
    let name = NSValueTransformerName("PathTransformer")
    ValueTransformer.setValueTransformer(PathTransformer(), forName: name)

    let path = NSAttributeDescription()
    path.name = "path"
    path.attributeType = .transformableAttributeType
    path.valueTransformerName = name.rawValue
    // end
    path.isOptional = true
    let context = try context(makeModel([plant(path)]), .sqlite)
    let plant = insertPlant(["path": ["garden", "by the wall"]], into: context)
    try context.save()
    context.refresh(plant, mergeChanges: false)
    #expect(plant.value(forKey: "path") as? [String] == ["garden", "by the wall"])
  }

  @Test("large values may lie in files of their own")
  func externalStorage() throws {
    // example: NSAttributeDescription.swift var allowsExternalBinaryDataStorage
    let photo = NSAttributeDescription()
    photo.name = "photo"
    photo.attributeType = .binaryDataAttributeType
    photo.allowsExternalBinaryDataStorage = true
    // end
    let context = try context(makeModel([plant(photo)]), .sqlite)
    let plant = insertPlant(["photo": Data(count: 200_000)], into: context)
    try context.save()
    context.refresh(plant, mergeChanges: false)
    #expect((plant.value(forKey: "photo") as? Data)?.count == 200_000)
  }

  @Test("a configuration is what one store keeps")
  func configuration() throws {
    let (song, plant) = (makeEntity("Song", makeAttribute("title")), plant())
    let model = makeModel([song, plant])
    // example: NSManagedObjectModel+Configurations.swift func setEntities
    model.setEntities([plant], forConfigurationName: "Garden")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .inMemory, configuration: "Garden")
    print(store.configurationName)  // Garden
    // end
    #expect(model.entities(forConfigurationName: "Garden") == [plant])
  }

  @Test("a template is a request of the model")
  func template() throws {
    let model = makeModel([plant()])
    // example: NSManagedObjectModel.swift func setFetchRequestTemplate
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
    template.predicate = NSPredicate(format: "name BEGINSWITH $PREFIX")
    model.setFetchRequestTemplate(template, forName: "byPrefix")
    // end
    #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["byPrefix"])
  }

  @Test("a template gets its values when it is used")
  func fetchRequestFromTemplate() throws {
    let model = makeModel([plant()])
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
    template.predicate = NSPredicate(format: "name BEGINSWITH $PREFIX")
    model.setFetchRequestTemplate(template, forName: "byPrefix")
    // example: NSManagedObjectModel.swift func fetchRequestFromTemplate
    let request = model.fetchRequestFromTemplate(
      withName: "byPrefix",
      substitutionVariables: ["PREFIX": "Th"]
    )
    print(request?.predicate?.description ?? "")  // name BEGINSWITH "Th"
    // end
    #expect(request?.predicate?.description == #"name BEGINSWITH "Th""#)
  }

  @Test("models become one")
  func merging() {
    let (garden, music) = (makeModel([plant()]), makeModel([makeEntity("Song", makeAttribute("title"))]))
    // example: NSManagedObjectModel+Merging.swift init?(byMerging models: [NSManagedObjectModel]?)
    let model = NSManagedObjectModel(byMerging: [garden, music])
    print(model?.entitiesByName.keys.sorted() ?? [])  // ["Plant", "Song"]
    // end
    #expect(model?.entitiesByName.keys.sorted() == ["Plant", "Song"])
  }

  @Test("another version of a model has another checksum")
  func versionChecksum() {
    let (oldModel, model) = (makeModel([plant()]), makeModel([plant(makeAttribute("height"))]))
    // example: NSManagedObjectModel+VersionHashes.swift var versionChecksum
    if model.versionChecksum != oldModel.versionChecksum {
      print("a store of the old version has to be migrated")
    }
    // end
    #expect(model.versionChecksum != oldModel.versionChecksum)
  }

  @Test("an entity lists its properties by kind")
  func attributesByName() throws {
    let plant = plant(makeAttribute("water", .integer16AttributeType))
    // example: NSEntityDescription+Properties.swift var attributesByName
    for (name, attribute) in plant.attributesByName where attribute.attributeType == .stringAttributeType {
      print(name)  // name
    }
    // end
    #expect(plant.attributesByName["water"]?.attributeType == .integer16AttributeType)
  }
}
