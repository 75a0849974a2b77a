import Foundation
import ModelFormats
import Testing

@testable import CoreData

@Suite("Models put together")
struct ModelMergingTests {
  private func model(_ entities: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(document: try ModelDocument(contents: Data("<model>\(entities)</model>".utf8)))
  }

  private let note = "<entity name=\"Note\"><attribute name=\"text\" attributeType=\"String\"/></entity>"
  private let tag = "<entity name=\"Tag\"><attribute name=\"name\" attributeType=\"String\"/></entity>"

  @Test("merged models have all entities, equal ones once, and do not change the originals")
  func merged() throws {
    let first = try model(note + tag)
    let second = try model(tag + "<entity name=\"City\"/>")
    let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
    #expect(merged.entities.map(\.name) == ["Note", "Tag", "City"])
    #expect(merged.entitiesByName["Note"]?.managedObjectModel === merged)
    #expect(first.entitiesByName["Note"]?.managedObjectModel === first)
    #expect(NSManagedObjectModel(byMerging: nil) == nil)
  }

  @Test("merged models keep relationships and inheritance across their borders")
  func connected() throws {
    let base = """
      <entity name="Base"><relationship name="owner" maxCount="1" destinationEntity="Owner" inverseName="all"/></entity>
      <entity name="Owner"><relationship name="all" toMany="YES" destinationEntity="Base" inverseName="owner"/></entity>
      """
    let first = try model(base)
    let second = try model(base + "<entity name=\"Leaf\" parentEntity=\"Base\"/>")
    let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
    merged.freeze()
    let leaf = try #require(merged.entitiesByName["Leaf"])
    #expect(leaf.superentity === merged.entitiesByName["Base"])
    let owner = try #require(leaf.relationshipsByName["owner"])
    #expect(owner.destinationEntity === merged.entitiesByName["Owner"])
    #expect(owner.inverseRelationship === merged.entitiesByName["Owner"]?.relationshipsByName["all"])
  }

  @Test("models can be merged for a store's metadata")
  func forStore() throws {
    let old = try model(note)
    let new = try model(note.replacingOccurrences(of: "text", with: "body"))
    let tags = try model(tag)
    var hashes = old.entityVersionHashesByName
    hashes.merge(tags.entityVersionHashesByName) { $1 }
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": hashes]
    let found = try #require(NSManagedObjectModel(byMerging: [new, tags, old], forStoreMetadata: metadata))
    #expect(found.entityVersionHashesByName == hashes)
    #expect(NSManagedObjectModel(byMerging: [new, tags], forStoreMetadata: metadata) == nil)
    #expect(NSManagedObjectModel(byMerging: [old], forStoreMetadata: [:]) == nil)
  }

  @Test("merging different definitions of an entity stops the program")
  func different() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let xml = [
        "<model><entity name=\"A\"/></model>", "<model><entity name=\"A\" isAbstract=\"YES\"/></model>",
      ]
      let models = try xml.map {
        try NSManagedObjectModel(document: try ModelDocument(contents: Data($0.utf8)))
      }
      _ = NSManagedObjectModel(byMerging: models)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("models with two different entities named A cannot be merged"))
  }

  @Test("models in bundles are found, each once")
  func bundles() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelMergingTests-\(UUID().uuidString)/app_App.resources")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let versions = folder.appendingPathComponent("Deep/M.xcdatamodeld")
    for (name, entity) in [("1", note), ("2", note.replacingOccurrences(of: "text", with: "body"))] {
      let url = versions.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try "<model>\(entity)</model>".write(
        to: url.appendingPathComponent("contents"),
        atomically: true,
        encoding: .utf8
      )
    }
    try "<plist><dict><key>_XCCurrentVersionName</key><string>2.xcdatamodel</string></dict></plist>".write(
      to: versions.appendingPathComponent(".xccurrentversion"),
      atomically: true,
      encoding: .utf8
    )
    let bundle = try #require(Bundle(url: folder))
    let current = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
    #expect(current.entitiesByName["Note"]?.attributesByName.keys.sorted() == ["body"])
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": try model(note).entityVersionHashesByName]
    #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    let old = try #require(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata))
    #expect(old.entitiesByName["Note"]?.attributesByName.keys.sorted() == ["text"])
    #expect(ModelLocator.model(named: "M", inFolder: folder)?.lastPathComponent == "M.xcdatamodeld")
    #expect(ModelLocator.model(named: "N", inFolder: folder) == nil)
  }

  @Test("models with equal contents are equal, in any order")
  func equality() throws {
    let (one, other) = (TestModel.make(), TestModel.make())
    #expect(one == other && one.hash == other.hash)
    other.entities.reverse()
    #expect(one == other)
    other.entitiesByName["Note"]?.attributesByName["title"]?.isOptional.toggle()
    #expect(one != other)
    #expect((one.copy() as? NSManagedObjectModel) == one)
  }
}
