import Files
import Foundation
import ModelFormats

/// A new version of a package, made as a copy of another version.
struct VersionAddition {
  private let package: PackageSnapshot
  private let contents: Data
  /// The name of the version to copy.
  let source: String
  let name: String

  /// The folder of the new version.
  var folder: String { "\(package.path)/\(name).xcdatamodel" }

  /// Checks the package, without writing anything.
  ///
  /// - Throws: a `CommandFailure` when the package or version does not exist, or the new version already exists.
  init(to model: String, name: String?, from source: String?) throws {
    var path = model
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard URL(fileURLWithPath: path).pathExtension == "xcdatamodeld" else {
      throw CommandFailure(
        file: path,
        problem: "this is not a package with versions of a model",
        remedy: "give an .xcdatamodeld"
      )
    }
    guard FileKind(resolving: path) == .folder else {
      throw CommandFailure(file: path, problem: "there is no such package", remedy: "check the path")
    }
    do {
      package = try PackageSnapshot(onDisk: path)
    } catch {
      throw CommandFailure("\(error)")
    }
    let names = package.versions.map(\.name).joined(separator: ", ")
    guard let copied = source ?? package.currentName else {
      throw CommandFailure(
        file: path,
        problem: "none of its versions is the current one",
        remedy: "name one with --from: \(names)"
      )
    }
    guard let version = package.version(named: copied) else {
      throw CommandFailure(
        file: path,
        problem: "there is no version \(copied)",
        remedy: "name one with --from: \(names)"
      )
    }
    do {
      _ = try version.document()
    } catch {
      throw CommandFailure(error.description)
    }
    contents = version.contents ?? Data()
    self.source = copied
    self.name = try name ?? Self.nextName(in: package)
    if let problem = Self.problem(self.name) {
      throw CommandFailure(
        file: path,
        problem: "a version cannot be called \(self.name): \(problem)",
        remedy: "give another name"
      )
    }
    let taken = package.versions.first { $0.name.lowercased() == self.name.lowercased() }
    if let taken {
      throw CommandFailure(file: path, problem: "there is a version \(taken.name) already", remedy: "give another name")
    }
  }

  /// Writes the complete version first, and then makes it the current one.
  func make(asCurrent: Bool) throws {
    let folder = URL(fileURLWithPath: folder)
    do {
      let scratch = URL(fileURLWithPath: package.path).appendingPathComponent(".\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: scratch) }
      try FileOutput.write(contents, to: scratch.appendingPathComponent("contents"))
      guard try FilePlacing.putFolderIfAbsent(scratch.path, at: folder.path) else {
        throw CommandFailure(file: folder.path, problem: "the folder is there already", remedy: "give another name")
      }
      // A package without the file has a single version. A package with several versions needs the file.
      let isNeeded = asCurrent || package.current == .absent
      if isNeeded { try writeCurrent(asCurrent ? name : source) }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(
        file: folder.path,
        problem: "the version cannot be written: \(error.localizedDescription)",
        remedy: "check the permissions of the package"
      )
    }
  }

  private func writeCurrent(_ name: String) throws {
    let list = [PackageSnapshot.currentKey: "\(name).xcdatamodel"]
    do {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      try FileOutput.write(data, to: URL(fileURLWithPath: package.currentPath))
    } catch {
      throw CommandFailure(
        file: package.currentPath,
        problem:
          "the version \(self.name) was added, but \(name) cannot be made the current one: \(error.localizedDescription)",
        remedy: "check the permissions of the package, and remove \(folder) before another try"
      )
    }
  }

  /// The next name in Xcode's scheme: the package's name and a number.
  private static func nextName(in package: PackageSnapshot) throws -> String {
    let stem = URL(fileURLWithPath: package.path).deletingPathExtension().lastPathComponent
    let known = Set(package.versions.map { $0.name.lowercased() })
    // The new name has to come after all others, whatever their form is.
    for number in 2...10_000 {
      let name = "\(stem) \(number)"
      let comesLast = package.versions.allSatisfy { PackageSnapshot.comesBefore($0.name, other: name) }
      if !known.contains(name.lowercased()), comesLast { return name }
    }
    throw CommandFailure(
      file: package.path,
      problem: "no name after that of the package comes after those of its versions",
      remedy: "give the name of the new version after the package"
    )
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty || name.hasPrefix(".") { return "it is empty or begins with a dot" }
    if name.contains("/") || name.contains("\0") { return "it has a slash in it" }
    if name.hasSuffix(".xcdatamodel") { return "the ending .xcdatamodel is added to it" }
    if name.utf8.count > 200 { return "it is too long" }
    return nil
  }
}
