import Foundation
import Testing

@testable import CoreData

@Suite("A model in use")
struct ModelInUseTests {
  @Test("entities are numbered as in Apple-made stores: by name regardless of case, after their parents")
  func numbers() throws {
    let model = NSManagedObjectModel()
    let sub = ModelInCodeTests.entity("aSub")
    let zebra = ModelInCodeTests.entity("Zebra", subentities: [ModelInCodeTests.entity("Beta"), sub])
    let entities = [
      zebra, ModelInCodeTests.entity("NWActivityFragment"), ModelInCodeTests.entity("NetworkAttachment"),
    ]
    model.entities = entities
    model.freeze()
    #expect(
      model.numberedEntities.map(\.name) == [
        "NetworkAttachment", "NWActivityFragment", "Zebra", "aSub", "Beta",
      ]
    )
    #expect(model.numberedEntities.map(\.number) == [1, 2, 3, 4, 5])
    #expect(sub.root === zebra)
    #expect(zebra.root === zebra)
    #expect(sub.isKindOf(entity: zebra))
    #expect(!zebra.isKindOf(entity: sub))
    #expect(!sub.isKindOf(entity: model.numberedEntities[4]))
    #expect(model.entities.count == 5)
  }

  @Test("a model in use has inherited properties in a stable order")
  func properties() throws {
    let model = NSManagedObjectModel()
    let leaf = ModelInCodeTests.entity("Leaf")
    model.entities = [ModelInCodeTests.entity("Trunk", subentities: [leaf]), leaf]
    model.freeze()
    #expect(leaf.allProperties.map(\.name) == ["trunk", "leaf"])
    #expect(leaf.properties == leaf.allProperties)
    #expect(leaf.allAttributesByName.count == 2)
  }

  @Test("a model in use refers to its own entities, also from relationships copied from elsewhere")
  func destinations() throws {
    let first = try ModelInCodeTests.harbourModel()
    let second = NSManagedObjectModel()
    let copies = first.entities.compactMap { $0.copy() as? NSEntityDescription }
    second.entities = copies
    second.freeze()
    let ships = try #require(second.entitiesByName["Harbour"]?.relationshipsByName["ships"])
    #expect(ships.destinationEntity === second.entitiesByName["Ship"])
    #expect(
      ships.frozenInverse === second.entitiesByName["Ship"]?.relationshipsByName["harbour"]
    )
  }

  @Test("changing a model in use stops the program with entity, property and remedy")
  func stopsChanges() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = try ModelInCodeTests.harbourModel()
      model.freeze()
      model.entitiesByName["Harbour"]?.attributesByName["name"]?.isOptional = true
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("Harbour.name: isOptional cannot be set, because the model is in use."))
  }

  @Test("putting an entity into two models stops the program")
  func stopsSharing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = try ModelInCodeTests.harbourModel()
      let other = NSManagedObjectModel()
      other.entities = model.entities
      withExtendedLifetime(model) {}
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("entity Harbour cannot be used in two models"))
  }

  @Test("a relationship without a destination stops the program")
  func stopsWithoutDestination() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let model = NSManagedObjectModel()
      let entity = ModelInCodeTests.entity("City")
      let relationship = NSRelationshipDescription()
      relationship.name = "mayor"
      entity.properties.append(relationship)
      model.entities = [entity]
      model.freeze()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("relationship City.mayor has no destination entity; set destinationEntity"))
  }
}
