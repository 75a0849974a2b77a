package import Foundation

/// The folder `shared` next to the package, which may be a symbolic link: models and stores made by Apple's tools, version hashes.
package enum SharedFolder {
  package static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared")
    .resolvingSymlinksInPath()

  package static let isAvailable = FileManager.default.fileExists(atPath: url.path)
  /// The reason for skipping tests that need the folder.
  package static let reason = "the folder shared with Apple-made files is not next to the package"

  package static func url(_ path: String) -> URL { url.appendingPathComponent(path) }

  /// The sorted paths of all files and folders inside of it.
  package static let paths: [String] =
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).sorted()

  /// The paths below the folder `fixtures`, relative to it.
  package static let fixtures: [String] = paths.compactMap { path in
    path.hasPrefix("fixtures/") ? String(path.dropFirst("fixtures/".count)) : nil
  }

  package static func fixture(_ path: String) -> URL { url("fixtures/" + path) }

  /// The `contents` files of models in XML.
  package static let contents = paths.filter { $0.hasSuffix(".xcdatamodel/contents") }
}
