import Foundation
import ModelFormats
import TestSupport

@testable import PerennialCommands

/// A package before a change, in the folder `before`, and after it, in the folder `after`. The folders exist during a test.
struct GuardedPackage {
  let folder: TestFolder
  let name: String
  /// The versions before the change, in Xcode's order.
  let versions: [String]
  /// The current version before the change.
  let current: String

  /// Copies a package twice.
  ///
  /// - Parameters:
  ///   - versions: the versions to copy; nil for all.
  ///   - current: the current version of both copies; nil for the one that the package names.
  init(_ package: URL, versions: [String]? = nil, current: String? = nil) throws {
    folder = try TestFolder()
    name = package.lastPathComponent
    for side in ["before", "after"] {
      let copy = folder.url.appendingPathComponent("\(side)/\(name)")
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try FileManager.default.copyItem(at: package, to: copy)
      for found in try FileManager.default.contentsOfDirectory(atPath: copy.path)
      where found.hasSuffix(".xcdatamodel") {
        let version = String(found.dropLast(".xcdatamodel".count))
        if versions?.contains(version) == false {
          try FileManager.default.removeItem(at: copy.appendingPathComponent(found))
        }
      }
    }
    let snapshot = try PackageSnapshot(onDisk: folder.url.appendingPathComponent("before/\(name)").path)
    self.versions = snapshot.versions.map(\.name)
    self.current = current ?? snapshot.currentName ?? ""
    if let current { for side in ["before", "after"] { try setCurrent(current, of: side) } }
  }

  var before: URL { folder.url.appendingPathComponent("before/\(name)") }
  var after: URL { folder.url.appendingPathComponent("after/\(name)") }

  func version(_ name: String) -> URL { after.appendingPathComponent("\(name).xcdatamodel") }

  func setCurrent(_ version: String?, of side: String = "after") throws {
    let list: [String: String] = version.map { ["_XCCurrentVersionName": "\($0).xcdatamodel"] } ?? [:]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    try folder.write("\(side)/\(name)/.xccurrentversion", data)
  }

  func document(of version: String) throws -> ModelDocument {
    try ModelDocument(contentsOf: self.version(version).appendingPathComponent("contents"))
  }

  /// Changes a version in place instead of adding one.
  ///
  /// - Parameter change: changes the document, and returns false if it contains nothing to change in this way.
  /// - Returns: the result of `change`. Nothing is written if that is false, or if the changed model is invalid.
  func edit(_ version: String, _ change: (inout ModelDocument) -> Bool) throws -> Bool {
    var document = try document(of: version)
    guard change(&document), (try? document.check()) != nil else { return false }
    try write(document, to: version)
    return true
  }

  /// Adds a version that is a changed copy of the current one, and makes it current.
  func addVersion(_ change: (inout ModelDocument) -> Bool) throws -> Bool {
    var document = try document(of: current)
    guard change(&document), (try? document.check()) != nil else { return false }
    let name = "\(versions.last ?? current) 1000000"
    try write(document, to: name)
    try setCurrent(name)
    return true
  }

  func write(_ document: ModelDocument, to version: String) throws {
    try folder.write("after/\(name)/\(version).xcdatamodel/contents", document.contents)
  }

  func judge(trials: Int? = nil, mappings: [String] = []) throws -> GuardReport {
    try ModelGuard(model: after.path, reference: before.path, mappings: mappings, trialCount: trials).judge()
      .report
  }
}
