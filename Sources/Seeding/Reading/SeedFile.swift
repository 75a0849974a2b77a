import Foundation

/// A seed file or a folder of them, on disk.
struct SeedFile {
  private let url: URL
  private let path: String

  /// - Parameter path: How errors name it.
  init(url: URL, shownAs path: String) {
    self.url = url
    self.path = path
  }

  /// The seed under the name, or those of a folder, each under its own name below that one.
  func seeds(named name: String) throws -> [LoadedSeed] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw SeedError(
        .unreadableFile,
        at: SeedPosition(file: path),
        "there is no such file",
        remedy: "check the path"
      )
    }
    return try isDirectory.boolValue ? children(of: name) : [seed(named: name)]
  }

  /// The files of a folder whose names tell a format, by name; other files are no seeds, such as a README.
  private func children(of name: String) throws -> [LoadedSeed] {
    let names = try SeedBytes.reading(path) { try FileManager.default.contentsOfDirectory(atPath: url.path) }
      .filter { !$0.hasPrefix(".") && SeedFormat(SeedFileName($0)) != nil }
      .sorted()
    guard !names.isEmpty else {
      throw SeedError(
        .unreadableFile,
        at: SeedPosition(file: path),
        "this is a folder without seeds",
        remedy: "put files into it whose names end in \(SeedFormat.endings)"
      )
    }
    return try names.map { child in
      let file = SeedFile(url: url.appendingPathComponent(child), shownAs: path + "/" + child)
      return try file.seed(named: name + "/" + child)
    }
  }

  private func seed(named name: String) throws -> LoadedSeed {
    guard SeedFormat(SeedFileName(url.lastPathComponent)) != nil else {
      throw SeedError(
        .unknownFormat,
        at: SeedPosition(file: path),
        "the format of a seed is known by the end of its name, and \".\(url.pathExtension)\" is none",
        remedy: "give a file that ends in \(SeedFormat.endings)"
      )
    }
    return try LoadedSeed(name: name, file: path, url: url)
  }
}
