import Foundation
import ModelFormats

/// The package that a model is compared with.
enum GuardBase {
  /// The older package.
  case package(PackageSnapshot, renamedFrom: String?)
  /// The model is new, because there was no such package. The paths are those of removed packages that do not resemble it.
  case new(gone: [String])
  /// The user named nothing to compare with.
  case none

  /// Finds the package that `--against` names.
  ///
  /// - Parameters:
  ///   - model: the package on disk.
  ///   - reference: a revision of git, or a folder: the older package, or a checkout that contains it.
  /// - Throws: a ``GuardDoubt`` when there is no such revision or folder, or when both exist under that name.
  static func find(_ reference: String?, for model: PackageSnapshot) throws -> GuardBase {
    guard let reference else { return .none }
    let parent = URL(fileURLWithPath: model.path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: reference, isDirectory: &isFolder)
    if exists, !isFolder.boolValue {
      throw GuardDoubt(problem: "--against \(reference): this is a file", remedy: "give a folder, or a revision of git")
    }
    guard exists else { return try inCommit(reference, model: model, repository: try GitRepository(around: parent)) }
    let isClearlyFolder = reference.contains("/") && (reference.hasPrefix("/") || reference.hasPrefix("."))
    if !isClearlyFolder, let repository = try? GitRepository(around: parent),
      (try? repository.has(reference)) == true
    {
      throw GuardDoubt(
        problem: "--against \(reference): there is a folder and a revision of this name",
        remedy: "write ./\(reference) for the folder, or refs/heads/\(reference) for the branch"
      )
    }
    return try inFolder(reference, model: model, parent: parent)
  }

  // MARK: - Folders

  private static func inFolder(_ folder: String, model: PackageSnapshot, parent: String) throws
    -> GuardBase
  {
    let name = URL(fileURLWithPath: model.path).lastPathComponent
    if URL(fileURLWithPath: folder).pathExtension == "xcdatamodeld" {
      let other = URL(fileURLWithPath: folder).lastPathComponent
      return .package(try PackageSnapshot(onDisk: folder), renamedFrom: other == name ? nil : folder)
    }
    let prefix = (try? GitRepository(around: parent).prefix) ?? ""
    for path in ["\(folder)/\(prefix)\(name)", "\(folder)/\(model.path)", "\(folder)/\(name)"]
    where isFolder(path) {
      return .package(try PackageSnapshot(onDisk: path), renamedFrom: nil)
    }
    let others = packages(in: folder)
    let same = others.filter { URL(fileURLWithPath: $0).lastPathComponent == name }
    if same.count == 1 { return .package(try PackageSnapshot(onDisk: same[0]), renamedFrom: nil) }
    if same.count > 1 {
      throw GuardDoubt(
        problem: "--against \(folder): there are \(same.count) packages \(name) in it",
        remedy: "give the older package itself: \(same.joined(separator: " or "))"
      )
    }
    let here = Set(packages(in: parent).map { URL(fileURLWithPath: $0).lastPathComponent })
    let gone = others.filter { !here.contains(URL(fileURLWithPath: $0).lastPathComponent) }
    return best(model, try gone.map { (path: $0, package: try PackageSnapshot(onDisk: $0)) })
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The packages in a folder, at any depth, by path.
  private static func packages(in folder: String) -> [String] {
    let paths =
      FileManager.default.enumerator(atPath: folder)?.lazy.compactMap { $0 as? String }
      ?? [].lazy.compactMap { $0 }
    return paths.filter { $0.hasSuffix(".xcdatamodeld") }.map { "\(folder)/\($0)" }.sorted()
  }

  // MARK: - Commits

  private static func inCommit(
    _ reference: String,
    model: PackageSnapshot,
    repository: GitRepository
  ) throws -> GuardBase {
    let commit = try repository.commit(of: reference)
    let name = URL(fileURLWithPath: model.path).lastPathComponent
    let path = repository.prefix + name
    if let package = try PackageSnapshot(path, at: commit, called: reference, in: repository) {
      return .package(package, renamedFrom: nil)
    }
    let top = repository.prefix.split(separator: "/").reduce(
      URL(fileURLWithPath: model.path).deletingLastPathComponent()
    ) { folder, _ in folder.deletingLastPathComponent() }
    let gone = try repository.packages(of: commit).filter { !isFolder(top.appendingPathComponent($0).path) }
    return best(
      model,
      try gone.compactMap { path in
        try PackageSnapshot(path, at: commit, called: reference, in: repository).map { (path, $0) }
      }
    )
  }

  // MARK: - Renaming

  /// The removed package that shares the most versions with the model.
  private static func best(_ model: PackageSnapshot, _ gone: [(path: String, package: PackageSnapshot)])
    -> GuardBase
  {
    let hashes = Set(model.versions.compactMap(hash))
    let counts = gone.map { candidate in
      candidate.package.versions.compactMap(hash).count { hashes.contains($0) }
    }
    let ranked = zip(gone, counts).sorted { $0.1 == $1.1 ? $0.0.path < $1.0.path : $0.1 > $1.1 }
    guard let first = ranked.first, first.1 > 0 else { return .new(gone: gone.map(\.path)) }
    return .package(first.0.package, renamedFrom: first.0.path)
  }

  private static func hash(_ version: PackageSnapshot.Version) -> String? {
    guard let document = try? version.document() else { return nil }
    return ModelVersionHashes(document: document).hashesDigest
  }
}
