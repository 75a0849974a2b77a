import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

@Suite("Version hashes", .enabled(if: VersionHashVectors.all != nil, "\(VersionHashVectors.reason)"))
struct VersionHashTests {
  private func hashes(_ entities: [VersionHashVectors.Entity]) -> [String: Data] {
    var document = ModelDocument()
    document.entities = entities.map(\.document)
    return ModelVersionHashes(document: document).entityHashes
  }

  @Test(
    "version hashes of entity definitions equal those of Apple's framework",
    arguments: VersionHashVectors.all?.entities ?? []
  )
  func entity(vector: VersionHashVectors.Entity) throws {
    let all = try #require(VersionHashVectors.all).entities
    let family = try #require(vector.withAncestors(in: all), "a superentity is not among the vectors")
    #expect(hashes(family)[vector.entity] == vector.hash)
  }

  @Test(
    "version hashes of single properties are the known ones",
    arguments: VersionHashVectors.all?.entities ?? []
  )
  func properties(vector: VersionHashVectors.Entity) {
    for property in vector.properties {
      guard let hash = property.computedPropertyHash else { continue }
      let computed =
        property.kind == "relationship"
        ? ModelVersionHashes.hash(of: property.relationship)
        : ModelVersionHashes.hash(of: property.attribute)
      #expect(computed == hash, "\(property.name)")
    }
  }

  @Test(
    "version hashes of a model's XML equal those in stores made with it",
    arguments: (VersionHashVectors.all?.models ?? []).filter { $0.fixture != nil }
  )
  func model(vector: VersionHashVectors.Model) throws {
    let document = try ModelDocument(contentsOf: try #require(vector.fixture))
    let model = try NSManagedObjectModel(document: document)
    #expect(model.entityVersionHashesByName == vector.entityHashes)
    if let digest = vector.hashesDigest { #expect(model.versionHashesDigest == digest) }
    if let checksum = vector.versionChecksum { #expect(model.versionChecksum == checksum) }
    model.freeze()
    #expect(model.entityVersionHashesByName == vector.entityHashes)
    for entity in model.entities {
      #expect(entity.versionHash == vector.entityHashes[entity.name ?? ""])
    }
  }

  @Test(
    "version hashes of a model made of definitions equal those in stores made with it",
    arguments: VersionHashVectors.all?.models ?? []
  )
  func definitions(vector: VersionHashVectors.Model) throws {
    guard let definitions = vector.definitions(in: VersionHashVectors.all?.entities ?? []) else { return }
    var document = ModelDocument()
    document.entities = definitions.map(\.document)
    let model = try NSManagedObjectModel(document: document)
    #expect(model.entityVersionHashesByName == vector.entityHashes)
    if let digest = vector.hashesDigest { #expect(model.versionHashesDigest == digest) }
    if let checksum = vector.versionChecksum { #expect(model.versionChecksum == checksum) }
  }

  @Test(
    "version hashes of the fixtures' models equal those of their compiled models",
    arguments: [
      "coredataplus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd",
      "coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd",
    ]
  )
  func compiled(path: String) throws {
    let momd = SharedFolder.url("fixtures/\(path)")
    let data = try Data(contentsOf: momd.appendingPathComponent("VersionInfo.plist"))
    let info = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    let versions = try #require(info?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    let checksums = info?["NSManagedObjectModel_VersionChecksums"] as? [String: String]
    let name = momd.deletingPathExtension().lastPathComponent
    let source = momd.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("\(name).xcdatamodeld")
    for (version, hashes) in versions {
      let model = try NSManagedObjectModel(
        document: try ModelPackage(contentsOf: source).document(version: version)
      )
      #expect(model.entityVersionHashesByName == hashes, "\(version)")
      if let checksum = checksums?[version] { #expect(model.versionChecksum == checksum) }
    }
  }

  @Test("version hashes have vectors to test with")
  func vectorsExist() throws {
    let vectors = try #require(VersionHashVectors.all)
    #expect(vectors.entities.count == 54)
    #expect(vectors.models.count == 41)
    #expect(vectors.models.filter { $0.fixture != nil }.count >= 20)
    #expect(vectors.models.filter { $0.definitions(in: vectors.entities) != nil }.count == 36)
  }
}
