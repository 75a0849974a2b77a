import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("A model from a compiled file", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct CompiledModelTests {
  private static let resources = "fixtures/coredataplus/Tests/Resources"

  @Test("a compiled model has the hashes in VersionInfo.plist", arguments: ["SampleModel", "SampleModel3"])
  func hashes(name: String) throws {
    let momd = SharedFolder.url("\(Self.resources)/\(name)/Fixtures/\(name).momd")
    let data = try Data(contentsOf: momd.appendingPathComponent("VersionInfo.plist"))
    let info = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    let versions = try #require(info?["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
    for (version, hashes) in versions {
      let model = try NSManagedObjectModel.load(contentsOf: momd.appendingPathComponent("\(version).mom"))
      #expect(model.entityVersionHashesByName == hashes, "\(version)")
      model.freeze()
    }
    let current = try #require(info?["NSManagedObjectModel_CurrentVersionName"] as? String)
    let model = try #require(NSManagedObjectModel(contentsOf: momd))
    #expect(model.entityVersionHashesByName == versions[current])
  }

  @Test("a compiled model is found for a store among its versions")
  func forStore() throws {
    let folder = SharedFolder.url("\(Self.resources)/SampleModel3/Fixtures")
    let momd = folder.appendingPathComponent("SampleModel3.momd")
    let second = try NSManagedObjectModel.load(contentsOf: momd.appendingPathComponent("SampleModel3_v2.mom"))
    let metadata: [String: Any] = ["NSStoreModelVersionHashes": second.entityVersionHashesByName]
    let bundle = try #require(Bundle(url: folder))
    let found = try #require(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata))
    #expect(found.entitiesByName.keys.sorted() == ["Pet", "User"])
    #expect(found.versionIdentifiers == second.versionIdentifiers)
  }
}
