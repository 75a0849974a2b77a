import Foundation
import Testing

@testable import ModelFormats

@Suite("An .xcdatamodeld")
struct ModelPackageTests {
  /// Makes a package with versions of one entity each, named like the version.
  private func withPackage(
    versions: [String],
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

  @Test("is read at the version that .xccurrentversion names")
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

  @Test("with a single version needs no .xccurrentversion")
  func onlyVersion() throws {
    try withPackage(versions: ["One"], current: nil) { url in
      let document = try ModelDocument(contentsOf: url)
      #expect(document.entities.map(\.name) == ["One"])
    }
  }

  @Test("with several versions and none current is refused with their names")
  func noneCurrent() throws {
    try withPackage(versions: ["One", "Two"], current: nil) { url in
      #expect(
        message { _ = try ModelDocument(contentsOf: url) }
          .contains("none of the 2 versions is marked as current (One, Two)")
      )
    }
  }

  @Test("whose current version is missing, or whose .xccurrentversion is broken, is refused")
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

  @Test("without a version is refused, as is a model from before Xcode 4")
  func noVersion() throws {
    try withPackage(versions: [], current: nil) { url in
      #expect(message { _ = try ModelDocument(contentsOf: url) }.contains("has no .xcdatamodel in it"))
    }
    guard ModelFixtures.available else { return }
    let recipes = ModelFixtures.url(
      "recipes-2009/Samples/iOS/Application/Models/Recipes.xcdatamodeld"
    )
    #expect(message { _ = try ModelDocument(contentsOf: recipes) }.contains("of before Xcode 4"))
  }

  @Test(
    "made by Xcode is read",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.packages
  )
  func appleMade(path: String) throws {
    _ = try ModelDocument(contentsOf: ModelFixtures.url(path))
  }
}
