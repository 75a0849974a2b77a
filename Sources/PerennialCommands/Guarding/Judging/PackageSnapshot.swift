import Foundation
import ModelFormats
import PropertyLists

/// The contents of an `.xcdatamodeld` at one time: on disk, or in a commit.
struct PackageSnapshot {
  /// One `.xcdatamodel` in the package.
  struct Version {
    let name: String
    /// The path of the XML file, for messages.
    let file: String
    /// The bytes of that file; nil where the version has only a file in the format before Xcode 4, or no file at all.
    let contents: Data?
    /// True for a version in the format before Xcode 4.
    let isOutdated: Bool

    /// Reads the XML and checks it.
    func document() throws(ModelFileError) -> ModelDocument {
      guard let contents else {
        throw ModelFileError(
          isOutdated ? .unreadable : .missing,
          file: file,
          problem: isOutdated
            ? "the version is in the format of before Xcode 4, which is not XML; open it in Xcode once and save it"
            : "the version has no file contents; restore it, or remove the folder"
        )
      }
      let document = try ModelDocument(contents: contents, file: file)
      try document.check(file: file)
      return document
    }
  }

  /// The content of `.xccurrentversion`.
  enum Current: Equatable {
    case named(String)
    /// The file exists and names no version.
    case unnamed
    /// The file does not exist.
    case absent
    /// The file is not a property list, or the name in it is not a string.
    case broken
  }

  static let currentFile = ".xccurrentversion"
  static let currentKey = "_XCCurrentVersionName"
  private static let suffix = ".xcdatamodel"

  /// The path of the package, for messages.
  let path: String
  /// The versions in Xcode's order, where `Notes 10` comes after `Notes 9`.
  let versions: [Version]
  let current: Current
  /// Folders that contain a model but do not end in `.xcdatamodel`, so that Xcode does not list them.
  let unlisted: [String]

  /// - Parameter files: the bytes of the files, by their paths in the package.
  init(path: String, files: [String: Data], folders: Set<String> = []) {
    self.path = path
    current = Self.current(files[Self.currentFile])
    let inside = files.keys.compactMap { key -> (folder: String, file: String)? in
      let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    let known = Set(inside.map(\.folder)).union(folders)
    let models = Set(inside.filter { $0.file == "contents" || $0.file == "elements" }.map(\.folder))
    versions = known.filter { $0.hasSuffix(Self.suffix) }.sorted(by: Self.comesBefore).map { folder in
      Version(
        name: String(folder.dropLast(Self.suffix.count)),
        file: "\(path)/\(folder)/contents",
        contents: files["\(folder)/contents"],
        isOutdated: files["\(folder)/contents"] == nil && files["\(folder)/elements"] != nil
      )
    }
    unlisted = models.filter { !$0.hasSuffix(Self.suffix) }.sorted()
  }

  func version(named name: String) -> Version? { versions.first { $0.name == name } }

  /// The name of the version that programs use: the one that the file names, the only one, or the last one if the file
  /// names none. Nil where the file names a missing version.
  var currentName: String? {
    switch current {
    case .named(let name): version(named: name) == nil ? nil : name
    case .unnamed: versions.last?.name
    case .absent: versions.count == 1 ? versions[0].name : nil
    case .broken: nil
    }
  }

  /// The version that programs use.
  var currentVersion: Version? { currentName.flatMap(version(named:)) }

  /// The path of `.xccurrentversion`, for messages.
  var currentPath: String { "\(path)/\(Self.currentFile)" }

  /// True when Xcode lists a name before another one.
  static func comesBefore(_ name: String, other: String) -> Bool {
    func stem(_ name: String) -> String { name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name }
    let order = stem(name).compare(stem(other), options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? name < other : order == .orderedAscending
  }

  private static func current(_ data: Data?) -> Current {
    guard let data else { return .absent }
    guard let list = (try? CheckedPropertyList.read(data)) as? [String: Any] else { return .broken }
    guard let value = list[currentKey] else { return .unnamed }
    guard let name = value as? String else { return .broken }
    return .named(name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name)
  }
}
