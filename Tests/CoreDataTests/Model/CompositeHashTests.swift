import Digests
import Foundation
import ModelFormats
import TestModels
import TestSupport
import Testing

@testable import CoreData

@Suite("Version hashes of composite attributes")
struct CompositeHashTests {
  private static func composite(
    _ name: String,
    _ elements: [NSAttributeDescription]
  ) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.elements = elements
    return composite
  }

  @Test(
    "composite attributes have Apple's hashes of entities, digest and checksum",
    .enabled(if: CompositeHashVectors.all != nil, "\(VersionHashVectors.reason)")
  )
  func vectors() throws {
    let vectors = try #require(CompositeHashVectors.all)
    #expect(vectors.entities.count == 4)
    let document = vectors.document
    let model = try NSManagedObjectModel(document: document)
    for entity in vectors.entities {
      #expect(model.entityVersionHashesByName[entity.entity] == entity.hash, "\(entity.entity)")
      #expect(model.entitiesByName[entity.entity]?.versionHash == entity.hash, "\(entity.entity)")
      for property in entity.properties {
        let hash = model.entitiesByName[entity.entity]?.propertiesByName[property.name]?.versionHash
        #expect(hash == property.computedPropertyHash, "\(entity.entity).\(property.name)")
      }
    }
    #expect(model.versionHashesDigest == vectors.hashesDigest)
    #expect(model.versionChecksum == vectors.versionChecksum)
  }

  @Test("the hash of a composite attribute covers its elements in the order of their names, and nothing else")
  func elements() {
    let elements = [makeAttribute("b"), makeAttribute("a", .doubleAttributeType)]
    let composite = Self.composite("place", elements)
    let expected = Data(SHA256.hash(data: elements[1].versionHash + elements[0].versionHash))
    #expect(composite.versionHash == expected)
    composite.name = "other"
    composite.isOptional = true
    #expect(composite.versionHash == expected)
    elements[0].versionHashModifier = "2"
    #expect(composite.versionHash != expected)
  }

  @Test("nested composites are hashed alike")
  func nested() {
    let inner = Self.composite("inner", [makeAttribute("x")])
    let outer = Self.composite("outer", [inner, makeAttribute("a")])
    let elements = outer.elements[1].versionHash + inner.versionHash
    #expect(outer.versionHash == Data(SHA256.hash(data: elements)))
  }

  @Test(
    "composites with equal names and different elements in two entities differ in hashes and in archives"
  )
  func namesakes() throws {
    let model = NSManagedObjectModel()
    model.entities = [
      makeEntity("A", NSManagedObject.self, [Self.composite("part", [makeAttribute("x")])]),
      makeEntity("B", NSManagedObject.self, [Self.composite("part", [makeAttribute("y")])]),
      makeEntity("C", NSManagedObject.self, [Self.composite("part", [makeAttribute("x")])]),
    ]
    let document = ModelDocument(model)
    #expect(document.composites.map(\.name) == ["part", "part2"])
    let again = try NSManagedObjectModel(document: document)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    let part = again.entitiesByName["B"]?.attributesByName["part"] as? NSCompositeAttributeDescription
    #expect(part?.elements.map(\.name) == ["y"])
  }
}
