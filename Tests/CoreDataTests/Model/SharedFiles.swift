import Foundation

/// The folder `shared` beside the package: models and stores made by Apple's tools, version hashes.
enum SharedFiles {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")

  static let available = FileManager.default.fileExists(atPath: folder.path)
  static let reason = "the folder shared with Apple-made files is not beside the package"

  /// All files `contents` of models, by path inside the folder.
  static let contents: [String] = {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".xcdatamodel/contents") }.sorted()
  }()

  static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }
}
