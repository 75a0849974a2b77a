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
  /// The versions, by name.
  public let versions: [Version]
  /// The version that `.xccurrentversion` names as the current one, or `nil` when there is no such
  /// file.
  public let declaredCurrentVersion: String?

  /// Looks into an `.xcdatamodeld`; the versions themselves are not read yet.
  ///
  /// - Throws: `ModelFileError` when the folder cannot be read, has no version in it, or its
  ///   `.xccurrentversion` is broken.
  public init(contentsOf url: URL) throws(ModelFileError) {
    self.url = url
    let names = try ModelFileReader.list(url)
    versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map {
      Version(
        name: String($0.dropLast(".xcdatamodel".count)),
        url: url.appendingPathComponent($0)
      )
    }
    if versions.isEmpty {
      throw ModelFileError(
        .corrupt,
        file: url.path,
        problem: "the folder has no .xcdatamodel in it, which a model needs"
      )
    }
    declaredCurrentVersion =
      names.contains(Self.currentVersionFile) ? try Self.readCurrentVersion(in: url) : nil
  }

  /// The current version: the one that `.xccurrentversion` names or, when there is no such file,
  /// the only one.
  ///
  /// - Throws: `ModelFileError` when the version named is missing, or when there are several
  ///   versions and none is named.
  public func currentVersion() throws(ModelFileError) -> Version {
    if let declaredCurrentVersion {
      if let version = versions.first(where: { $0.name == declaredCurrentVersion }) { return version }
      throw ModelFileError(
        .corrupt,
        file: url.appendingPathComponent(Self.currentVersionFile).path,
        element: "_XCCurrentVersionName",
        problem: "there is no \(declaredCurrentVersion).xcdatamodel; there are: \(names)"
      )
    }
    if let only = versions.first, versions.count == 1 { return only }
    throw ModelFileError(
      .corrupt,
      file: url.path,
      problem: """
        none of the \(versions.count) versions is marked as current (\(names)); choose one in Xcode, \
        which writes .xccurrentversion, or give the path of the .xcdatamodel that is meant
        """
    )
  }

  /// Reads the current version, or the one of a name.
  ///
  /// - Throws: `ModelFileError` when there is no such version or it cannot be read.
  public func document(version name: String? = nil) throws(ModelFileError) -> ModelDocument {
    guard let name else { return try ModelDocument(contentsOf: try currentVersion().url) }
    guard let version = versions.first(where: { $0.name == name }) else {
      throw ModelFileError(
        .missing,
        file: url.path,
        problem: "there is no version \(name); there are: \(names)"
      )
    }
    return try ModelDocument(contentsOf: version.url)
  }

  private static let currentVersionFile = ".xccurrentversion"

  private var names: String { versions.map(\.name).joined(separator: ", ") }

  private static func readCurrentVersion(in url: URL) throws(ModelFileError) -> String {
    let file = url.appendingPathComponent(currentVersionFile)
    let data = try ModelFileReader.read(file)
    let plist = try? CheckedPropertyList.read(data)
    guard let name = (plist as? [String: Any])?["_XCCurrentVersionName"] as? String else {
      throw ModelFileError(
        .corrupt,
        file: file.path,
        element: "_XCCurrentVersionName",
        problem: "the file should be a property list with the name of an .xcdatamodel under this key"
      )
    }
    return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
  }
}
