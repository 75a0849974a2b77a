import Files
import Foundation

/// The folder that the plugin has for one target, and the copies of its models in resource bundles.
///
/// Nothing but the tool writes into the folder. The package manager copies the models from there
/// into the target's resource bundle. It removes no copy of a model that is not made any more, and
/// a program would go on finding it by its name.
package struct PluginFolder {
  /// The path of the folder.
  package var path: String
  /// The package manager's folder, in which each platform and configuration has its bundles; `nil`
  /// where it is not known.
  package var builds: String?
  /// The name of the folder of the target's resource bundle.
  package var bundle = ""
  /// The names of the target's own resources, which the package manager copies into the bundle too.
  package var resources: Set<String> = []

  package init(path: String) { self.path = path }

  /// The paths of what the tool made at earlier times and nothing makes any more: copies first, so
  /// that they are found again when the tool ends before it has removed them all.
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

  /// The names in the bundle: the compiled model, and its source, which is there too where the
  /// target named it among its resources.
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
