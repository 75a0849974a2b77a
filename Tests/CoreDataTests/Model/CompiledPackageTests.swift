import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

@Suite("A compiled package", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct CompiledPackageTests {
  /// All `.xcdatamodeld` packages of the XML format, by path in the folder.
  static let packages: [String] = {
    let all = SharedFolder.contents.compactMap { path -> String? in
      let folder = path.split(separator: "/").dropLast(2).joined(separator: "/")
      return folder.hasSuffix(".xcdatamodeld") ? folder : nil
    }
    return Set(all).sorted()
  }()

  private func compile(_ path: String, in folder: TemporaryFolder) throws -> CompiledModelPackage {
    try CompiledModelPackage.compile(
      SharedFolder.url(path),
      to: folder.file("Out.momd")
    )
  }

  private func info(_ momd: URL) throws -> NSDictionary {
    let data = try Data(contentsOf: momd.appendingPathComponent("VersionInfo.plist"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require((list as? [String: Any]) as NSDictionary?)
  }

  @Test(
    "the version information equals that of Apple's compiler",
    arguments: ["SampleModel", "SampleModel3"]
  )
  func versionInfo(name: String) throws {
    let folder = try TemporaryFolder()
    let samples = "fixtures/coredataplus/Tests/Resources/\(name)"
    let compiled = try compile("\(samples)/\(name).xcdatamodeld", in: folder)
    let own = try info(compiled.url)
    let apples = try info(SharedFolder.url("\(samples)/Fixtures/\(name).momd"))
    // Older compilers wrote no checksums, and in one of the two packages the current version has changed since.
    for key in ["NSManagedObjectModel_VersionHashes", "NSManagedObjectModel_VersionChecksums"] {
      guard let expected = apples[key] as? NSDictionary else { continue }
      #expect(own[key] as? NSDictionary == expected)
    }
  }

  @Test("a package that is compiled and decompiled has the same hashes", arguments: packages)
  func thereAndBack(path: String) throws {
    let folder = try TemporaryFolder()
    let source = try ModelPackage(contentsOf: SharedFolder.url(path))
    let compiled = try compile(path, in: folder)
    #expect(compiled.versions.map(\.name) == source.versions.map(\.name))
    #expect(try compiled.currentVersion().name == source.currentVersion().name)
    let documents = try compiled.versions.map {
      (name: $0.name, document: try ModelDocument(contentsOf: $0.url))
    }
    let again = try ModelPackage.write(
      documents,
      current: try compiled.currentVersion().name,
      to: folder.file("Again.xcdatamodeld")
    )
    #expect(try again.currentVersion().name == source.currentVersion().name)
    for version in source.versions {
      let hashes = try [version.url, try #require(again.versions.first { $0.name == version.name }).url].map {
        ModelVersionHashes(document: try ModelDocument(contentsOf: $0)).entityHashes
      }
      #expect(hashes[0] == hashes[1])
      #expect(compiled.versionHashes[version.name] == hashes[0])
      let older = try source.document(version: version.name)
      let newer = try again.document(version: version.name)
      #expect(ModelDifference(from: older, to: newer).isLightweight)
      _ = try NSManagedObjectModel.load(
        contentsOf: compiled.url.appendingPathComponent("\(version.name).mom")
      )
    }
  }
}
