public import Foundation
import PropertyLists

/// An `.xcdatamodeld`: a folder with the versions of a model, one of which is current.
public struct ModelPackage: Hashable, Sendable {
  /// A version of the model.
  public struct Version: Hashable, Sendable {
    /// The name of the version: that of its folder, without `.xcdatamodel`.
    public var name: String
    /// The `.xcdatamodel`.
    public var url: URL
  }

  /// The folder.
  public let url: URL
  /// The versions that can be read, by name; all of them if none can be read.
  public let versions: [Version]
  /// The version that `.xccurrentversion` names as the current one; `nil` if the file does not
  /// exist or does not name one.
  public let declaredCurrentVersion: String?
  /// The versions in the format before Xcode 4, which are left out of ``versions``.
  private let outdated: [Version]
  /// True if `.xccurrentversion` exists and does not name a version.
  private let isCurrentVersionUnnamed: Bool

  /// Looks into an `.xcdatamodeld`; the versions themselves are not read yet.
  ///
  /// - Throws: `ModelFileError` when the folder cannot be read, has no version in it, or its
  ///   `.xccurrentversion` is broken.
  public init(contentsOf url: URL) throws(ModelFileError) {
    self.url = url
    let names = try ModelFileReader.list(url)
    let all = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map {
      Version(name: String($0.dropLast(".xcdatamodel".count)), url: url.appendingPathComponent($0))
    }
    let readable = all.filter { !ModelFileReader.isOutdatedModel($0.url) }
    versions = readable.isEmpty ? all : readable
    outdated = readable.isEmpty ? [] : all.filter { !readable.contains($0) }
    if versions.isEmpty {
      throw ModelFileError(
        .corrupt,
        file: url.path,
        problem: "the folder has no .xcdatamodel in it, which a model needs"
      )
    }
    let hasCurrentVersionFile = names.contains(Self.currentVersionFile)
    declaredCurrentVersion = hasCurrentVersionFile ? try Self.readCurrentVersion(in: url) : nil
    isCurrentVersionUnnamed = hasCurrentVersionFile && declaredCurrentVersion == nil
  }

  /// Notes for the program that uses the package: versions that are left out, and a current version
  /// that is assumed because none is named.
  package var warnings: [ModelFileError] {
    let leftOut = outdated.map { version in
      ModelFileError(
        .corrupt,
        file: version.url.path,
        problem: "the version is left out: \(ModelFileReader.outdatedProblem)"
      )
    }
    guard isCurrentVersionUnnamed, versions.count > 1, let last = lastVersion else { return leftOut }
    let assumed = ModelFileError(
      .corrupt,
      file: url.appendingPathComponent(Self.currentVersionFile).path,
      element: Self.currentVersionKey,
      problem:
        "the file names no version, so \(last.name), the last one by name, is the current version; choose one in Xcode"
    )
    return leftOut + [assumed]
  }

  /// The last version by name, where a greater number comes after a smaller one: `M 10` after `M 9`.
  private var lastVersion: Version? {
    versions.max { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
  }

  /// The current version: the version that `.xccurrentversion` names or, if there is no such file, the only version. If
  /// the file exists and does not name a version, which Xcode can cause, the last version by name.
  ///
  /// - Throws: `ModelFileError` if the named version is missing or in the format before Xcode 4, or
  ///   if there are several versions and no `.xccurrentversion`.
  public func currentVersion() throws(ModelFileError) -> Version {
    if let declaredCurrentVersion {
      let named = (versions + outdated).first { $0.name == declaredCurrentVersion }
      if let named { return named }
      throw ModelFileError(
        .corrupt,
        file: url.appendingPathComponent(Self.currentVersionFile).path,
        element: Self.currentVersionKey,
        problem: "there is no \(declaredCurrentVersion).xcdatamodel; there are: \(names)"
      )
    }
    if let only = versions.first, versions.count == 1 { return only }
    if isCurrentVersionUnnamed, let lastVersion { return lastVersion }
    throw ModelFileError(
      .corrupt,
      file: url.path,
      problem: """
        none of the \(versions.count) versions is marked as current (\(names)); choose one in Xcode, \
        which writes .xccurrentversion, or give the path of the .xcdatamodel that is meant
        """
    )
  }

  /// Reads the current version, or the version with a name.
  ///
  /// - Throws: `ModelFileError` if the version does not exist or cannot be read.
  public func document(version name: String? = nil) throws(ModelFileError) -> ModelDocument {
    guard let name else { return try ModelDocument(contentsOf: try currentVersion().url) }
    guard let version = (versions + outdated).first(where: { $0.name == name }) else {
      throw ModelFileError(.missing, file: url.path, problem: "there is no version \(name); there are: \(names)")
    }
    return try ModelDocument(contentsOf: version.url)
  }

  private static let currentVersionFile = ".xccurrentversion"
  private static let currentVersionKey = "_XCCurrentVersionName"

  private var names: String { versions.map(\.name).joined(separator: ", ") }

  /// The name of the current version; `nil` if the property list does not name one.
  private static func readCurrentVersion(in url: URL) throws(ModelFileError) -> String? {
    let file = url.appendingPathComponent(currentVersionFile)
    let data = try ModelFileReader.read(file)
    let plist = (try? CheckedPropertyList.read(data)) as? [String: Any]
    if let plist, plist[currentVersionKey] == nil { return nil }
    guard let name = plist?[currentVersionKey] as? String else {
      throw ModelFileError(
        .corrupt,
        file: file.path,
        element: currentVersionKey,
        problem: "the file should be a property list with the name of an .xcdatamodel under this key"
      )
    }
    return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
  }
}
