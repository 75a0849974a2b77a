import CoreData
import Foundation
import TestModels
import Testing

@testable import CoreData

@Suite("A model made of copies whose originals were released")
struct CopiedDescriptionTests {
  /// The parts of the model that are added as copies.
  enum Copies: String, CaseIterable, Sendable {
    case none, relationships, inverses, properties, entities
  }

  /// A weak reference to a description that must be released.
  private final class Original {
    private(set) weak var object: NSObject?

    init(_ object: NSObject) { self.object = object }
  }

  /// Beds and the plants in them, with every setting that a model has for an entity.
  private static func makeModel(
    _ copies: Copies,
    _ originals: inout [Original]
  ) throws -> NSManagedObjectModel {
    let (bed, plant) = (NSEntityDescription(), NSEntityDescription())
    (bed.name, plant.name) = ("Bed", "Plant")
    let (plants, place) = (NSRelationshipDescription(), NSRelationshipDescription())
    (plants.name, plants.destinationEntity, plants.deleteRule) = ("plants", plant, .cascadeDeleteRule)
    (place.name, place.destinationEntity, place.maxCount) = ("bed", bed, 1)
    plants.inverseRelationship = place
    let attributes = [
      makeAttribute("name", .stringAttributeType), makeAttribute("size", .integer64AttributeType),
    ]
    let derived = NSDerivedAttributeDescription()
    (derived.name, derived.attributeType) = ("searchName", .stringAttributeType)
    derived.derivationExpression = NSExpression(format: "canonical:(name)")
    let position = NSCompositeAttributeDescription()
    (position.name, position.isOptional) = ("position", true)
    position.elements = [makeAttribute("row", .integer32AttributeType)]
    let neighbours = NSFetchedPropertyDescription()
    neighbours.name = "neighbours"
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
    request.predicate = NSPredicate(format: "bed == $FETCH_SOURCE.bed")
    neighbours.fetchRequest = request
    let index = NSFetchIndexDescription(
      name: "bySize",
      elements: [NSFetchIndexElementDescription(property: attributes[1], collationType: .binary)]
    )
    index.partialIndexPredicate = NSPredicate(format: "size > 0")

    var properties: [NSPropertyDescription] = attributes + [derived, position, neighbours, place]
    var relationships: [NSPropertyDescription] = [plants]
    if copies == .properties { properties = try properties.map(copy) }
    if copies == .relationships { properties = try properties.map { try $0 === place ? copy($0) : $0 } }
    if copies != .none, copies != .inverses, copies != .entities {
      relationships = try relationships.map(copy)
    }
    if copies == .inverses { properties = try properties.map { try $0 === place ? copy($0) : $0 } }
    bed.properties = relationships + [makeAttribute("name", .stringAttributeType)]
    plant.properties = properties
    plant.indexes = try [copies == .properties ? copy(index) : index]
    plant.uniquenessConstraints = [[attributes[0]]]
    let model = NSManagedObjectModel()
    model.entities = try copies == .entities ? [copy(bed), copy(plant)] : [bed, plant]
    if copies != .none { originals.append(Original(place)) }
    if copies != .none, copies != .inverses { originals.append(Original(plants)) }
    if copies == .entities { originals += [Original(bed), Original(plant)] }
    return model
  }

  private static func copy<Description: NSObject>(_ description: Description) throws -> Description {
    try #require(description.copy() as? Description)
  }

  private static func model(_ copies: Copies) throws -> NSManagedObjectModel {
    var originals: [Original] = []
    let model = try makeModel(copies, &originals)
    #expect(originals.allSatisfy { $0.object == nil })
    return model
  }

  @Test("a model of copies has the originals' contents, in use or not", arguments: Copies.allCases)
  func equal(_ copies: Copies) throws {
    let (plain, model) = (try Self.model(.none), try Self.model(copies))
    for _ in 0..<2 {
      #expect(model == plain)
      #expect(model.entityVersionHashesByName == plain.entityVersionHashesByName)
      let (bed, plant) = (model.entitiesByName["Bed"], model.entitiesByName["Plant"])
      let plants = try #require(bed?.relationshipsByName["plants"])
      let place = try #require(plant?.relationshipsByName["bed"])
      #expect(plants.destinationEntity === plant && place.destinationEntity === bed)
      #expect(plants.inverseRelationship === place && place.inverseRelationship === plants)
      #expect("\(plants)".contains("destinationEntity Plant, inverseRelationship bed"))
      let index = try #require(plant?.indexes.first)
      #expect(index.entity === plant)
      #expect(index.elements.first?.property === plant?.attributesByName["size"])
      model.freeze()
      plain.freeze()
    }
  }

  @Test(
    "a copied relationship keeps both of its sides consistent",
    arguments: Copies.allCases,
    [StoreKind.inMemory, .sqlite]
  )
  func inStep(_ copies: Copies, _ kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model(copies))
    let bed = stack.make("Bed", "b")
    let plants = ["p", "q"].map { stack.make("Plant", $0) }
    for plant in plants { plant.setValue(bed, forKey: "bed") }
    #expect(bed.namesIn("plants") == ["p", "q"])
    try stack.save()
    #expect(try stack.saved("Bed", "b")?.namesIn("plants") == ["p", "q"])
    #expect((plants[0].value(forKey: "neighbours") as? [NSManagedObject])?.count == 2)
    stack.context.delete(bed)
    try stack.save()
    #expect(try stack.savedCount("Plant") == 0)
  }

  @Test("a model of copies can be copied and merged", arguments: Copies.allCases)
  func copied(_ copies: Copies) throws {
    let plain = try Self.model(.none)
    let copy = try Self.copy(Self.model(copies))
    #expect(copy == plain)
    let merged = try #require(NSManagedObjectModel(byMerging: [try Self.model(copies)]))
    #expect(merged == plain)
    for model in [copy, merged] {
      model.freeze()
      #expect(model == plain)
    }
  }

  @Test("a copied relationship has no inverse if the destination has no relationship of the name")
  func goneForGood() throws {
    let (bed, plant) = (NSEntityDescription(), NSEntityDescription())
    (bed.name, plant.name) = ("Bed", "Plant")
    let plants = NSRelationshipDescription()
    (plants.name, plants.destinationEntity) = ("plants", plant)
    do {
      let place = NSRelationshipDescription()
      (place.name, place.destinationEntity, place.maxCount) = ("bed", bed, 1)
      plants.inverseRelationship = place
    }
    bed.properties = [plants]
    let model = NSManagedObjectModel()
    model.entities = [bed, plant]
    #expect(plants.inverseRelationship == nil)
    model.freeze()
    #expect(plants.inverseRelationship == nil)
  }
}
