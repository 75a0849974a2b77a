import Files
package import Foundation

/// Finds the versions of a mapping model by the paths that they had in Xcode's project.
extension MappingPackage {
  /// Finds a version among some models: the version of that name in the package of that name. Where
  /// the package was renamed, the only package that has a version of that name.
  ///
  /// - Parameter models: `.xcdatamodeld` and `.xcdatamodel`.
  package static func version(atProjectPath path: String, among models: [URL]) -> URL? {
    let names = ProjectPath(path)
    guard let version = names.version else { return nil }
    let candidates = models.compactMap { model -> URL? in
      if model.lastPathComponent == version { return model }
      let inside = model.appendingPathComponent(version)
      return isFolder(inside) ? inside : nil
    }
    let named = candidates.first { url in
      names.package.map { url.deletingLastPathComponent().lastPathComponent == $0 }
        ?? models.contains(url)
    }
    return named ?? (candidates.count == 1 ? candidates[0] : nil)
  }

  /// Finds a version in the folders around a mapping model.
  ///
  /// 1. The whole path, from the nearest folder outwards.
  /// 2. The path without its first folders, which were renamed.
  /// 3. Among the models in one of the nearest three folders and the folders in it, by
  ///    ``version(atProjectPath:among:)``.
  package static func version(atProjectPath path: String, around mapping: URL) -> URL? {
    let names = ProjectPath(path)
    if path.hasPrefix("/") || names.version == nil { return nil }
    let folders = foldersAround(mapping)
    for suffix in names.suffixes {
      for folder in folders {
        let found = folder.appendingPathComponent(suffix)
        if isFolder(found) { return found }
      }
    }
    for folder in folders.prefix(nearFolders) {
      if let found = version(atProjectPath: path, among: models(near: folder)) { return found }
    }
    return nil
  }

  /// Further up, a model of the same name may belong to another project.
  private static let nearFolders = 3

  private static func foldersAround(_ mapping: URL) -> [URL] {
    var folders: [URL] = []
    var folder = mapping.standardizedFileURL
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      folders.append(folder)
    }
    return folders
  }

  /// The models in a folder and in the folders in it, by path.
  private static func models(near folder: URL) -> [URL] {
    func entries(_ folder: URL) -> [URL] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().map { folder.appendingPathComponent($0) }
    }
    func isModel(_ url: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) }
    let outer = entries(folder)
    let inner = outer.filter { !isModel($0) && isFolder($0) }.flatMap(entries)
    return (outer + inner).filter(isModel)
  }

  private static func isFolder(_ url: URL) -> Bool { FileKind(resolving: url.path) == .folder }
}

/// The path of a version in Xcode's project: `Notes/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
private struct ProjectPath {
  private let names: [String]

  init(_ path: String) { names = path.split(separator: "/").map(String.init) }

  /// `Notes 2.xcdatamodel`
  var version: String? { names.last }

  /// `Notes.xcdatamodeld`, or `nil` for a model without versions.
  var package: String? { names.dropLast().last.flatMap { $0.hasSuffix(".xcdatamodeld") ? $0 : nil } }

  /// The path, and its remainders without the first folders.
  var suffixes: [String] {
    let least = package == nil ? 1 : 2
    return names.indices.filter { names.count - $0 >= least }.map { names[$0...].joined(separator: "/") }
  }
}
