import Files
import Foundation
import ModelFormats

/// Finds the mapping models of a target: those in the folder around the package, and those that the user names.
struct MappingSearch {
  /// A mapping model with the names of its source and destination versions.
  struct Found: Hashable {
    let path: String
    let source: String
    let destination: String
  }

  let mappings: [Found]

  /// Folders with copies of other projects' sources or with build products.
  private static let skipped: Set = ["Pods", "Carthage", "DerivedData", "node_modules"]
  private static let deepest = 6

  /// - Parameters:
  ///   - package: the path of the package. Its parent folder is searched recursively.
  ///   - others: mapping models, or folders that contain some, that the user names.
  /// - Throws: a `CommandFailure` when a path that the user names does not exist.
  init(around package: String, others: [String]) throws {
    var paths: [String] = []
    for path in others {
      guard FileManager.default.fileExists(atPath: path) else {
        throw CommandFailure(file: path, problem: "there is no such mapping model or folder", remedy: "check --mapping")
      }
      paths += Self.isMapping(path) ? [path] : Self.mappings(in: path)
    }
    let folder = URL(fileURLWithPath: package).deletingLastPathComponent().path
    paths += Self.mappings(in: folder).filter { !paths.contains($0) }
    let name = URL(fileURLWithPath: package).lastPathComponent
    mappings = paths.compactMap { Self.read($0, package: name) }
  }

  /// The mapping models from one version to another.
  func mappings(from source: String, to destination: String) -> [String] {
    mappings.filter { $0.source == source && $0.destination == destination }.map(\.path)
  }

  private static func isMapping(_ path: String) -> Bool { path.hasSuffix(".xcmappingmodel") }

  private static func mappings(in folder: String) -> [String] {
    var found: [String] = []
    func search(_ folder: String, depth: Int) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() where !name.hasPrefix(".") && !skipped.contains(name) {
        let path = "\(folder)/\(name)"
        // A symbolic link could form a cycle.
        guard FileKind(at: path) == .folder else { continue }
        if isMapping(name) {
          found.append(path)
        } else if depth < deepest, !name.hasSuffix(".xcdatamodeld") {
          search(path, depth: depth + 1)
        }
      }
    }
    search(folder, depth: 0)
    return found
  }

  /// The mapping model's versions. An unreadable file, or one of another package, gets none.
  private static func read(_ path: String, package: String) -> Found? {
    guard let mapping = try? MappingPackage(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    guard let source = version(mapping.modelPath(of: .source), of: package),
      let destination = version(mapping.modelPath(of: .destination), of: package)
    else { return nil }
    return Found(path: path, source: source, destination: destination)
  }

  /// The version that a path in an Xcode project names: `Notes 2` of `Notes/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  private static func version(_ path: String?, of package: String) -> String? {
    let parts = path?.split(separator: "/").map(String.init) ?? []
    guard let last = parts.last, last.hasSuffix(".xcdatamodel") else { return nil }
    if let folder = parts.dropLast().last, folder.hasSuffix(".xcdatamodeld"), folder != package { return nil }
    return String(last.dropLast(".xcdatamodel".count))
  }
}
