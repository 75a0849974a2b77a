import Files
import Foundation

/// The plugin's folder for one target, and the copies of the target's models in resource bundles.
///
/// Only the tool writes into the folder. The package manager copies the models from it into the target's
/// resource bundle, but does not remove the copy of a model that is no longer generated. A program would
/// still find that copy by its name.
package struct PluginFolder {
  /// The path of the folder, into which the tool generates its files.
  package var path: String
  /// The package manager's folder with a bundle for each platform and configuration; `nil` if it is not known.
  package var builds: String?
  /// The name of the folder of the target's resource bundle.
  package var bundle = ""
  /// The names of the target's own resources, which the package manager also copies into the bundle.
  package var resources: Set<String> = []

  package init(path: String) { self.path = path }

  /// The paths of files that the tool generated earlier and no longer generates. Copies come first, so that
  /// the next run finds them again if the tool ends before it has removed all.
  func leftovers(besides paths: [String]) -> [String] {
    let made = Set(paths.map { URL(fileURLWithPath: $0).lastPathComponent })
    let former = names(in: path).filter { Self.isOutput($0) && !made.contains($0) }
    if former.isEmpty { return [] }
    let copies = former.flatMap(Self.copies).filter { !resources.contains($0) }
    let places = bundles.flatMap { bundle in copies.map { "\(bundle)/\($0)" } }
    return places.filter { FileKind(at: $0) != .nothing } + former.map { "\(path)/\($0)" }
  }

  /// The target's resource bundles of all platforms and configurations.
  private var bundles: [String] {
    guard let builds else { return [] }
    return names(in: builds).flatMap { platform in
      ["debug", "release"].map { "\(builds)/\(platform)/\($0)/\(bundle)" }
    }.filter { FileKind(at: $0) == .folder }
  }

  private static func isOutput(_ name: String) -> Bool {
    [".momd", ".cdm", "+CoreDataModel.swift"].contains { name.hasSuffix($0) }
  }

  /// The names in the bundle: the compiled model, and also its source, which is there if the target declared
  /// it as a resource.
  private static func copies(of name: String) -> [String] {
    let sources = ["momd": ["xcdatamodeld", "xcdatamodel"], "cdm": ["xcmappingmodel"]]
    let url = URL(fileURLWithPath: name)
    guard let extensions = sources[url.pathExtension] else { return [] }
    let stem = url.deletingPathExtension().lastPathComponent
    return [name] + extensions.map { "\(stem).\($0)" }
  }

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
