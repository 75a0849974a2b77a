import Foundation
import Testing

@testable import ModelFormats

@Suite(
  "A package made by Xcode that is compiled",
  .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)")
)
struct PackageBytesTests {
  @Test("A decompiled package compiles to the same bytes", arguments: ModelFixtures.packages)
  func sameBytes(path: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("PackageBytes-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let compiled = try CompiledModelPackage.compile(
      ModelFixtures.url(path),
      to: folder.appendingPathComponent("M.momd")
    )
    let documents = try compiled.versions.map { ($0.name, try ModelDocument(contentsOf: $0.url)) }
    // Xcode's own models contain nothing that the XML format cannot express.
    #expect(documents.flatMap(\.1.inexpressibleParts) == [])
    let source = try ModelPackage.write(
      documents,
      current: compiled.declaredCurrentVersion,
      to: folder.appendingPathComponent("M.xcdatamodeld")
    )
    let again = try CompiledModelPackage.compile(source.url, to: folder.appendingPathComponent("Again.momd"))
    #expect(again.versions.map(\.name) == compiled.versions.map(\.name))
    for (one, other) in zip(compiled.versions, again.versions) {
      #expect(try Data(contentsOf: one.url) == Data(contentsOf: other.url), "\(one.name)")
    }
    let info = "VersionInfo.plist"
    #expect(
      try Data(contentsOf: again.url.appendingPathComponent(info))
        == Data(contentsOf: compiled.url.appendingPathComponent(info))
    )
  }

  @Test("Only the listed packages cause warnings", arguments: ModelFixtures.packages)
  func warnings(path: String) throws {
    var warnings: [String] = []
    _ = try CompiledModelPackage.files(compiling: ModelFixtures.url(path), module: nil) {
      warnings.append($0.description)
    }
    guard let expected = ModelFixtures.warned[path] else {
      #expect(warnings == [])
      return
    }
    #expect(warnings.count == 1 && warnings.first?.contains(expected) == true, "\(warnings)")
  }
}
