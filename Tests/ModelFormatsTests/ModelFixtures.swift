import Foundation

/// Models made by Apple's tools, in the folder `shared` beside the package.
enum ModelFixtures {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/fixtures")

  static let available = FileManager.default.fileExists(atPath: folder.path)
  static let reason = "the folder shared with Apple-made models is not beside the package"

  /// All files `contents`, by path inside the folder.
  static let contents: [String] = paths { $0.hasSuffix("/contents") }

  /// All `.xcdatamodeld` of the XML format, by path inside the folder.
  static let packages: [String] = paths { $0.hasSuffix(".xcdatamodeld") && !$0.hasPrefix("recipes-2009") }

  /// All compiled models, by path inside the folder.
  static let compiled: [String] = paths { $0.hasSuffix(".mom") }

  static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  private static func paths(_ isIncluded: (String) -> Bool) -> [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter(isIncluded).sorted()
  }
}
