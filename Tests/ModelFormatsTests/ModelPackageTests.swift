import Foundation
import Testing

@testable import ModelFormats

@Suite("An .xcdatamodeld")
struct ModelPackageTests {
  /// Makes a package whose versions have one entity each, named like the version.
  ///
  /// - Parameter outdated: the versions in the format before Xcode 4.
  private func withPackage(
    versions: [String],
    outdated: Set<String> = [],
    current: String?,
    _ body: (URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelPackageTests-\(UUID().uuidString)/M.xcdatamodeld")
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for version in versions {
      let url = folder.appendingPathComponent("\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      if outdated.contains(version) {
        try Data("bplist00".utf8).write(to: url.appendingPathComponent("elements"))
        continue
      }
      try "<model><entity name=\"\(version)\"/></model>"
        .write(to: url.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    }
    if let current {
      try current.write(
        to: folder.appendingPathComponent(".xccurrentversion"),
        atomically: true,
        encoding: .utf8
      )
    }
    try body(folder)
  }

  private func plist(_ name: String) -> String {
    """
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return error.localizedDescription
    }
  }

  @Test("A model package is read at the version that .xccurrentversion names")
  func namedVersion() throws {
    try withPackage(versions: ["One", "Two"], current: plist("Two.xcdatamodel")) { url in
      let document = try ModelDocument(contentsOf: url)
      #expect(document.entities.map(\.name) == ["Two"])
      let package = try ModelPackage(contentsOf: url)
      #expect(package.versions.map(\.name) == ["One", "Two"])
      let first = try package.document(version: "One")
      #expect(first.entities.map(\.name) == ["One"])
      #expect(message { _ = try package.document(version: "Three") }.hasSuffix("there are: One, Two"))
    }
  }

  @Test("A model package with a single version needs no .xccurrentversion")
  func onlyVersion() throws {
    try withPackage(versions: ["One"], current: nil) { url in
      let document = try ModelDocument(contentsOf: url)
      #expect(document.entities.map(\.name) == ["One"])
    }
  }

  @Test("A model package with several versions and no current one is refused with their names")
  func noneCurrent() throws {
    try withPackage(versions: ["One", "Two"], current: nil) { url in
      #expect(
        message { _ = try ModelDocument(contentsOf: url) }
          .contains("none of the 2 versions is marked as current (One, Two)")
      )
    }
  }

  @Test("A model package with a missing current version or a broken .xccurrentversion is refused")
  func brokenCurrent() throws {
    try withPackage(versions: ["One"], current: plist("Two.xcdatamodel")) { url in
      #expect(
        message { _ = try ModelDocument(contentsOf: url) }
          .hasSuffix("_XCCurrentVersionName: there is no Two.xcdatamodel; there are: One")
      )
    }
    try withPackage(versions: ["One"], current: "hm") { url in
      #expect(message { _ = try ModelDocument(contentsOf: url) }.contains("should be a property list"))
    }
  }

  private let unnamed = "<plist version=\"1.0\"><dict/></plist>"

  @Test("If .xccurrentversion names no version, the only version is read without a warning")
  func unnamedOnlyVersion() throws {
    try withPackage(versions: ["One"], current: unnamed) { url in
      #expect(try ModelDocument(contentsOf: url).entities.map(\.name) == ["One"])
      let package = try ModelPackage(contentsOf: url)
      #expect(package.declaredCurrentVersion == nil)
      #expect(package.warnings == [])
    }
  }

  @Test("If .xccurrentversion names no version, the last version by name is read with a warning")
  func unnamedVersions() throws {
    try withPackage(versions: ["M", "M 2", "M 10", "M 9"], current: unnamed) { url in
      #expect(try ModelDocument(contentsOf: url).entities.map(\.name) == ["M 10"])
      let warnings = try ModelPackage(contentsOf: url).warnings.map(\.description)
      #expect(
        warnings == [
          "\(url.path)/.xccurrentversion: _XCCurrentVersionName: the file names no version, so M 10, the last one by name, is the current version; choose one in Xcode"
        ]
      )
      let output = url.deletingLastPathComponent().appendingPathComponent("M.momd")
      var told: [String] = []
      let compiled = try CompiledModelPackage.compile(url, to: output) { told.append($0.description) }
      #expect(told == warnings)
      #expect(compiled.declaredCurrentVersion == "M 10")
    }
  }

  @Test("A version from before Xcode 4 is left out next to others, with a warning")
  func outdatedVersion() throws {
    for current in [plist("Two.xcdatamodel"), nil] {
      try withPackage(versions: ["One", "Two"], outdated: ["One"], current: current) { url in
        let package = try ModelPackage(contentsOf: url)
        #expect(package.versions.map(\.name) == ["Two"])
        #expect(try package.document().entities.map(\.name) == ["Two"])
        let output = url.deletingLastPathComponent().appendingPathComponent("M.momd")
        var told: [String] = []
        let compiled = try CompiledModelPackage.compile(url, to: output) { told.append($0.description) }
        #expect(compiled.versions.map(\.name) == ["Two"])
        #expect(told.count == 1)
        #expect(
          told.first?.hasPrefix(
            "\(url.path)/One.xcdatamodel: the version is left out: the model is in the format of before Xcode 4"
          ) == true
        )
      }
    }
  }

  @Test("A model package with a current version from before Xcode 4 is refused with the remedy")
  func outdatedCurrentVersion() throws {
    try withPackage(versions: ["One", "Two"], outdated: ["One"], current: plist("One.xcdatamodel")) { url in
      let expected = "\(url.path)/One.xcdatamodel: the model is in the format of before Xcode 4"
      #expect(message { _ = try ModelDocument(contentsOf: url) }.hasPrefix(expected))
      let output = url.deletingLastPathComponent().appendingPathComponent("M.momd")
      #expect(message { try CompiledModelPackage.compile(url, to: output) }.hasPrefix(expected))
    }
  }

  @Test("A model package without a version is refused, and so is a model from before Xcode 4")
  func noVersion() throws {
    try withPackage(versions: [], current: nil) { url in
      #expect(message { _ = try ModelDocument(contentsOf: url) }.contains("has no .xcdatamodel in it"))
    }
    try withPackage(versions: ["One"], outdated: ["One"], current: nil) { url in
      let message = message { _ = try ModelDocument(contentsOf: url) }
      #expect(message.contains("of before Xcode 4, which is not XML; open it in Xcode once and save it"))
    }
  }

  @Test(
    "All model packages made by Xcode are read, except those that are listed with a reason",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)")
  )
  func appleMade() {
    var refusals: [String: String] = [:]
    for path in ModelFixtures.allPackages {
      let reason = message { _ = try ModelDocument(contentsOf: ModelFixtures.url(path)) }
      if !reason.isEmpty { refusals[path] = reason }
    }
    #expect(refusals.keys.sorted() == ModelFixtures.refused.keys.sorted(), "\(refusals)")
    for (path, reason) in ModelFixtures.refused {
      #expect(refusals[path]?.contains(reason) == true, "\(path)")
    }
    #expect(ModelFixtures.allPackages.count > 100)
  }
}
