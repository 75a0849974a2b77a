import Foundation
import TestSupport
import Testing

@testable import ModelFormats

@Suite("A compiled model", .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"))
struct CompiledModelTests {
  private static let samples = "coredataplus/Tests/Resources"
  private static let alicerce = "alicerce-momd/Tests/AlicerceTests/Persistence/CoreData/Support Files"

  @Test(
    "A compiled model has the contents of its source",
    arguments: [
      ("\(samples)/SampleModel/Fixtures/SampleModel.momd", "\(samples)/SampleModel/SampleModel.xcdatamodeld"),
      (
        "\(samples)/SampleModel3/Fixtures/SampleModel3.momd",
        "\(samples)/SampleModel3/SampleModel3.xcdatamodeld"
      ),
      (
        "\(alicerce)/CoreDataStackModel.bundle/CoreDataStackModel.momd",
        "\(alicerce)/CoreDataStackModel.xcdatamodeld"
      ),
    ]
  )
  func sameAsSource(momd: String, source: String) throws {
    let package = try CompiledModelPackage(contentsOf: ModelFixtures.url(momd))
    for version in package.versions {
      let compiled = try ModelDocument(contentsOf: version.url)
      try compiled.check(file: version.url.path)
      let sources = try ModelPackage(contentsOf: ModelFixtures.url(source))
      let written = try sources.document(version: version.name)
      #expect(essence(compiled) == essence(written), "\(version.name)")
      #expect(compiled.versionIdentifier == written.versionIdentifier)
      #expect(package.versionHashes[version.name]?.keys.sorted() == compiled.entities.map(\.name).sorted())
    }
  }

  @Test("A compiled model is read at the version that VersionInfo.plist names")
  func currentVersion() throws {
    let url = ModelFixtures.url("\(Self.samples)/SampleModel3/Fixtures/SampleModel3.momd")
    let package = try CompiledModelPackage(contentsOf: url)
    #expect(package.versions.map(\.name) == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
    #expect(package.declaredCurrentVersion == "SampleModel3")
    let document = try ModelDocument(contentsOf: url)
    #expect(document.entities.map(\.name) == ["User"])
  }

  @Test("A compiled model that is not an archive is refused with its path")
  func refused() {
    let url = ModelFixtures.url("\(Self.alicerce)/InvalidCoreDataStackModel.bundle/InvalidCoreDataModel.momd")
    #expect {
      _ = try ModelDocument(contentsOf: url)
    } throws: {
      $0.localizedDescription.hasPrefix(url.path)
    }
    #expect {
      _ = try ModelDocument(compiled: Data("bplist00".utf8), file: "M.mom")
    } throws: {
      $0.localizedDescription.hasPrefix("M.mom: this is not a compiled model")
    }
  }

  @Test("A damaged compiled model is read or refused, and never crashes", arguments: 1...20)
  func broken(seed: UInt64) throws {
    let path = try #require(ModelFixtures.compiled.first { $0.hasSuffix("SampleModel3.mom") })
    let data = try Data(contentsOf: ModelFixtures.url(path))
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      var bytes = data
      for _ in 0..<Int(random.next() % 8 + 1) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { bytes = bytes.prefix(Int(random.next() % UInt64(bytes.count))) }
      if let document = try? ModelDocument(compiled: Data(bytes)) {
        _ = try? document.check()
        _ = document.contents
        _ = try? document.compiled()
      }
    }
  }

  @Test(
    "a model compiled here with any byte changed is read or refused, and never crashes",
    arguments: 1...10
  )
  func brokenOwn(seed: UInt64) throws {
    let data = try ModelDocument(contents: Data(CompilingTests.everything.utf8)).compiled()
    var random = SplitMix(seed: seed)
    for _ in 0..<100 {
      var bytes = data
      for _ in 0..<Int(random.next() % 8 + 1) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if let document = try? ModelDocument(compiled: bytes) {
        _ = try? document.check()
        _ = try? document.compiled()
      }
    }
  }

  /// The parts of a source that its compiled model keeps.
  private func essence(_ document: ModelDocument) -> [Substring] {
    var essence = ModelDocument()
    essence.entities = document.entities.map { entity in
      var entity = entity
      entity.isSyncable = false
      entity.codeGeneration = nil
      if entity.representedClassName?.isEmpty ?? true { entity.representedClassName = "NSManagedObject" }
      for index in entity.attributes.indices {
        entity.attributes[index].usesScalarValueType = nil
        entity.attributes[index].customClassName = nil
        entity.attributes[index].isSyncable = false
      }
      for index in entity.relationships.indices { entity.relationships[index].isSyncable = false }
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      return entity
    }.sorted { $0.name < $1.name }
    return essence.contents.split(separator: "\n")
  }

  @Test("An optimized model is refused with the file to use instead")
  func optimized() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Optimized-\(UUID()).momd")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("Notes.omo")
    try Data("omo".utf8).write(to: file)
    let alone = #expect(throws: ModelFileError.self) { try ModelDocument(contentsOf: file) }
    #expect(
      alone?.problem
        == "this is an optimized copy of a compiled model, which only Apple's framework reads; give the Notes.mom next to it, or the .momd that both are in"
    )
    let package = #expect(throws: ModelFileError.self) { try ModelDocument(contentsOf: folder) }
    #expect(package?.problem.hasPrefix("the folder has an .omo alone, an optimized copy") == true)
  }
}
