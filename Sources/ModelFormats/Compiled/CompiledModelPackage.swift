public import Foundation
import PropertyLists

/// A `.momd`: a folder with the versions of a compiled model, one of which is current.
public struct CompiledModelPackage: Hashable, Sendable {
  /// A version of the model.
  public struct Version: Hashable, Sendable {
    /// The name of the version: that of its file, without `.mom`.
    public var name: String
    /// The `.mom`.
    public var url: URL
  }

  /// The folder.
  public let url: URL
  /// The versions, by name.
  public let versions: [Version]
  /// The version that `VersionInfo.plist` names as current; `nil` if the file does not exist.
  public let declaredCurrentVersion: String?
  /// The version hashes of the entities of each version, as `VersionInfo.plist` has them.
  public let versionHashes: [String: [String: Data]]

  /// Looks into a `.momd`; the versions themselves are not read yet.
  ///
  /// - Throws: `ModelFileError` when the folder cannot be read, has no version in it, or its
  ///   `VersionInfo.plist` is broken.
  public init(contentsOf url: URL) throws(ModelFileError) {
    self.url = url
    let names = try ModelFileReader.list(url)
    versions = names.filter { $0.hasSuffix(".mom") }.sorted().map {
      Version(name: String($0.dropLast(".mom".count)), url: url.appendingPathComponent($0))
    }
    if versions.isEmpty {
      throw ModelFileError(
        .corrupt,
        file: url.path,
        problem: names.contains { $0.hasSuffix(".omo") }
          ? "the folder has an .omo alone, an optimized copy that only Apple's framework reads; add the .mom of the same build"
          : "the folder has no .mom in it, which a model needs"
      )
    }
    guard names.contains(Self.infoFile) else {
      declaredCurrentVersion = nil
      versionHashes = [:]
      return
    }
    let info = try Self.readInfo(in: url)
    declaredCurrentVersion = info["NSManagedObjectModel_CurrentVersionName"] as? String
    versionHashes = info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
  }

  /// The current version: the version that `VersionInfo.plist` names or, if it does not name one, the only version.
  ///
  /// - Throws: `ModelFileError` when the version named is missing, or when there are several
  ///   versions and none is named.
  public func currentVersion() throws(ModelFileError) -> Version {
    let names = versions.map(\.name).joined(separator: ", ")
    if let declaredCurrentVersion {
      if let version = versions.first(where: { $0.name == declaredCurrentVersion }) { return version }
      throw ModelFileError(
        .corrupt,
        file: url.appendingPathComponent(Self.infoFile).path,
        element: "NSManagedObjectModel_CurrentVersionName",
        problem: "there is no \(declaredCurrentVersion).mom; there are: \(names)"
      )
    }
    if let only = versions.first, versions.count == 1 { return only }
    throw ModelFileError(
      .corrupt,
      file: url.path,
      problem: """
        none of the \(versions.count) versions is marked as current (\(names)); \
        compile the model again, or give the path of the .mom that is meant
        """
    )
  }

  static let infoFile = "VersionInfo.plist"

  private static func readInfo(in url: URL) throws(ModelFileError) -> [String: Any] {
    let file = url.appendingPathComponent(infoFile)
    let plist = try? CheckedPropertyList.read(try ModelFileReader.read(file))
    guard let info = plist as? [String: Any] else {
      throw ModelFileError(.corrupt, file: file.path, problem: "the file should be a property list")
    }
    return info
  }
}
