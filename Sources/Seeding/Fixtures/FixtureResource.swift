import CoreData
import Foundation

/// The file with a fixture's name among the resources of bundles.
struct FixtureResource {
  let name: String
  /// The bundle to look in; nil for the resources of all targets of the program.
  let bundle: Bundle?

  /// - Throws: A `SeedError` with the code `unreadable-file` when there is no such file, or several.
  func find() throws -> URL {
    let folders = folders
    let found = folders.flatMap(candidates(in:))
    if found.count == 1 { return found[0] }
    throw SeedError(
      code: .unreadableFile,
      at: SeedPosition(file: name),
      problem: found.isEmpty
        ? "there is no fixture of this name in \(folders.map(\.path).joined(separator: ", "))"
        : "several files could be meant: \(found.map(\.path).joined(separator: ", "))",
      remedy: found.isEmpty
        ? "add \(name).json, or a fixture of another format, to the resources of the target of tests"
        : "give the whole name, or the bundle"
    )
  }

  /// The file or folder of that name; else all seeds and stores that have it without the ending.
  private func candidates(in folder: URL) -> [URL] {
    let exact = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: exact.path) { return [exact] }
    let siblings = try? FileManager.default.contentsOfDirectory(
      at: exact.deletingLastPathComponent(),
      includingPropertiesForKeys: nil
    )
    return (siblings ?? []).filter { isFixture($0, named: exact.lastPathComponent) }
      .sorted { $0.path < $1.path }
  }

  private func isFixture(_ url: URL, named stem: String) -> Bool {
    if url.pathExtension == Self.storeExtension { return url.deletingPathExtension().lastPathComponent == stem }
    let name = SeedFileName(url.lastPathComponent)
    return name.stem == stem && name.variants.isEmpty && SeedFormat(name) != nil
  }

  /// The end of the name of a SQLite store.
  static let storeExtension = "sqlite"

  private var folders: [URL] {
    let own = (bundle.map { [$0] } ?? ([Bundle.main] + Bundle.allBundles)).flatMap { bundle in
      [bundle.resourceURL, bundle.bundleURL].compactMap { $0 }
    }
    // Each target of a package has its resources in a bundle of its own, next to the program or in
    // the bundle of its tests.
    let ofTargets = bundle == nil ? own.flatMap(resourceBundles(in:)) : []
    var seen: Set<String> = []
    return (own + ofTargets).filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  private func resourceBundles(in folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (entries ?? []).filter { ["resources", "bundle"].contains($0.pathExtension) && isOfProgram($0) }
      .sorted { $0.path < $1.path }
      .map { Bundle(url: $0)?.resourceURL ?? $0 }
  }

  /// A build has the resources of other programs' targets in the same folder.
  private func isOfProgram(_ folder: URL) -> Bool {
    #if canImport(Darwin)
      true
    #else
      ResourceFolders.ofProgram.isContained(folder)
    #endif
  }
}
