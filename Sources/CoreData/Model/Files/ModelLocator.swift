import Foundation

/// Finds model files in bundles.
///
/// SwiftPM puts the resources of a target into a folder `<package>_<target>.resources` beside the
/// executable, where an application's own are in its bundle on Apple's platforms. So the main
/// bundle stands for the folder of the program's own target too, and where no bundles are named,
/// for the folders of all targets. A program that runs tests has a target for each of several
/// bundles of tests, whose classes' bundle is the main one here: it stands for all.
enum ModelLocator {
  /// The model files of some bundles, or of the main bundle, by path.
  static func models(in bundles: [Bundle]?) -> [URL] {
    folders(of: bundles).flatMap(models(inFolder:))
  }

  /// The files of another kind in some bundles, or in the main bundle, by path.
  static func files(withExtension suffix: String, in bundles: [Bundle]?) -> [URL] {
    folders(of: bundles).flatMap { folder in
      let isResources = ["resources", "bundle"].contains(folder.pathExtension)
      return files(withExtension: suffix, inFolder: folder, isDeep: isResources)
    }
  }

  /// The first model file of a name (without extension), compiled models before sources; `nil` when
  /// there is none.
  static func model(named name: String, in bundles: [Bundle]?) -> URL? {
    let candidates = models(in: bundles).filter { $0.deletingPathExtension().lastPathComponent == name }
    return candidates.min { rank($0) < rank($1) }
  }

  /// The folders that `model(named:in:)` and `models(in:)` look into, for messages.
  static func folders(of bundles: [Bundle]?) -> [URL] {
    var folders: [URL] = []
    for bundle in bundles ?? [Bundle.main] {
      if let url = bundle.resourceURL { folders.append(url) }
      if bundle.bundleURL.standardizedFileURL == Bundle.main.bundleURL.standardizedFileURL {
        let program = bundle.executableURL?.lastPathComponent
        folders += resourceFolders(beside: bundle.bundleURL, ofProgram: program ?? "")
      }
    }
    if bundles == nil { folders += resourceFolders(beside: Bundle.main.bundleURL, ofProgram: nil) }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  /// The kinds of model files, compiled ones first.
  private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  private static func rank(_ url: URL) -> Int {
    extensions.firstIndex(of: url.pathExtension) ?? extensions.count
  }

  /// The folders with the resources of targets.
  ///
  /// - Parameter program: the name of the program whose own target's are meant; `nil` for those of
  ///   all targets.
  static func resourceFolders(beside folder: URL, ofProgram program: String?) -> [URL] {
    list(folder).filter { url in
      guard url.pathExtension == "resources" || url.pathExtension == "bundle" else { return false }
      guard let program, !program.hasSuffix(".xctest") else { return true }
      return url.deletingPathExtension().lastPathComponent.hasSuffix("_\(program)")
    }
  }

  /// The model files in a folder: at its top and, in a folder of resources only, below.
  private static func models(inFolder folder: URL) -> [URL] {
    let isResources = ["resources", "bundle"].contains(folder.pathExtension)
    var found: [URL] = []
    for url in list(folder) {
      if extensions.contains(url.pathExtension) {
        found.append(url)
      } else if isResources, url.hasDirectoryPath {
        found += modelsBelow(url)
      }
    }
    return withoutSources(found)
  }

  private static func files(withExtension suffix: String, inFolder folder: URL, isDeep: Bool) -> [URL] {
    list(folder).flatMap { url -> [URL] in
      if url.pathExtension == suffix { return [url] }
      return isDeep && url.hasDirectoryPath
        ? files(withExtension: suffix, inFolder: url, isDeep: true) : []
    }
  }

  private static func modelsBelow(_ folder: URL) -> [URL] {
    list(folder).flatMap { url -> [URL] in
      if extensions.contains(url.pathExtension) { return [url] }
      return url.hasDirectoryPath ? modelsBelow(url) : []
    }
  }

  /// Leaves out the source of a model that lies beside its compiled form.
  private static func withoutSources(_ urls: [URL]) -> [URL] {
    let compiled = Set(
      urls.filter { $0.pathExtension.hasPrefix("mom") }.map { $0.deletingPathExtension().lastPathComponent }
    )
    return urls.filter {
      $0.pathExtension.hasPrefix("mom") || !compiled.contains($0.deletingPathExtension().lastPathComponent)
    }
  }

  private static func list(_ folder: URL) -> [URL] {
    let urls = try? FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: [.isDirectoryKey]
    )
    return (urls ?? []).sorted { $0.path < $1.path }
  }
}
