import Foundation

/// Finds model files in bundles.
///
/// SwiftPM puts the resources of a target into a folder `<package>_<target>.resources` next to the
/// executable. On Apple's platforms, an application's own resources are in its bundle. So the main
/// bundle also means the folder of the program's own target. If no bundles are named, the folders
/// of all targets that the program contains are searched (``ResourceFolders``).
enum ModelLocator {
  /// The model files of some bundles, or of the program, by path.
  static func models(in bundles: [Bundle]?) -> [URL] { folders(of: bundles).flatMap(models(inFolder:)) }

  /// The files of another kind in some bundles, or of the program, by path.
  static func files(withExtension suffix: String, in bundles: [Bundle]?) -> [URL] {
    folders(of: bundles).flatMap { folder in
      files(withExtension: suffix, inFolder: folder, isDeep: ResourceFolders.isResourceFolder(folder))
    }
  }

  /// The folders that ``models(in:)`` searches, those of the program's own target first.
  static func folders(of bundles: [Bundle]?) -> [URL] {
    var folders: [URL] = []
    let resources = ResourceFolders.ofProgram
    for bundle in bundles ?? [Bundle.main] {
      if let url = bundle.resourceURL { folders.append(url) }
      if bundle.bundleURL.standardizedFileURL == resources.folder.standardizedFileURL { folders += resources.own }
    }
    if bundles == nil { folders += resources.contained }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  /// The kinds of model files, compiled ones first.
  private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// The first model file of a name (without extension) in a folder, compiled models before sources;
  /// `nil` when there is none.
  static func model(named name: String, inFolder folder: URL) -> URL? {
    models(inFolder: folder).filter { $0.deletingPathExtension().lastPathComponent == name }
      .min { rank($0) < rank($1) }
  }

  private static func rank(_ url: URL) -> Int { extensions.firstIndex(of: url.pathExtension) ?? extensions.count }

  /// The model files in a folder: at its top and, in a folder of resources only, below.
  static func models(inFolder folder: URL) -> [URL] {
    let isResources = ResourceFolders.isResourceFolder(folder)
    var found: [URL] = []
    for url in FolderList.entries(of: folder) {
      if extensions.contains(url.pathExtension) {
        found.append(url)
      } else if isResources, url.hasDirectoryPath {
        found += modelsBelow(url)
      }
    }
    return withoutSources(found)
  }

  private static func files(withExtension suffix: String, inFolder folder: URL, isDeep: Bool) -> [URL] {
    FolderList.entries(of: folder).flatMap { url -> [URL] in
      if url.pathExtension == suffix { return [url] }
      return isDeep && url.hasDirectoryPath
        ? files(withExtension: suffix, inFolder: url, isDeep: true) : []
    }
  }

  private static func modelsBelow(_ folder: URL) -> [URL] {
    FolderList.entries(of: folder).flatMap { url -> [URL] in
      if extensions.contains(url.pathExtension) { return [url] }
      return url.hasDirectoryPath ? modelsBelow(url) : []
    }
  }

  /// Leaves out the source of a model that is next to its compiled form.
  private static func withoutSources(_ urls: [URL]) -> [URL] {
    let compiled = Set(
      urls.filter { $0.pathExtension.hasPrefix("mom") }.map { $0.deletingPathExtension().lastPathComponent }
    )
    return urls.filter {
      $0.pathExtension.hasPrefix("mom") || !compiled.contains($0.deletingPathExtension().lastPathComponent)
    }
  }
}
