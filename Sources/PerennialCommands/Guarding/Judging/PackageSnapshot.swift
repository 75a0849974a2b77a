import Foundation
import ModelFormats
import PropertyLists

/// An `.xcdatamodeld` as it was at one time: on disk, or in a commit.
struct PackageSnapshot {
  /// A version of the model.
  struct Version {
    let name: String
    /// The path of the file with the XML, as messages name it.
    let file: String
    /// The bytes of that file; nil where the version has only the format before Xcode 4, or no file at all.
    let contents: Data?
    /// True for the format before Xcode 4.
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

  /// What `.xccurrentversion` says.
  enum Current: Equatable {
    case named(String)
    /// The file is there and names no version.
    case unnamed
    /// There is no file.
    case absent
    /// The file is no property list, or the name is no text.
    case broken
  }

  static let currentFile = ".xccurrentversion"
  static let currentKey = "_XCCurrentVersionName"
  private static let suffix = ".xcdatamodel"

  /// The path of the package, as messages name it.
  let path: String
  /// The versions in the order of Xcode, where `Notes 10` comes after `Notes 9`.
  let versions: [Version]
  let current: Current
  /// Folders with a model in them whose names do not end in `.xcdatamodel`, so that Xcode does not list them.
  let unlisted: [String]

  /// - Parameter files: the bytes of the files, by their paths inside of the package.
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

  /// The name of the version that programs use: the one that the file names, the only one, or, where the file names none,
  /// the last one. Nil where the file names none that is there.
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

  /// The path of `.xccurrentversion`, as messages name it.
  var currentPath: String { "\(path)/\(Self.currentFile)" }

  /// True when a name comes before another one in the list of Xcode.
  static func comesBefore(_ name: String, other: String) -> Bool {
    func stem(_ name: String) -> String {
      name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    }
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
