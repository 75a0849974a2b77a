import Files
import Foundation

/// A file that the tool makes: where it lies, and what is in it.
struct OutputFile {
  let path: String
  let data: Data

  /// Whether the file is there with these contents.
  var isUpToDate: Bool {
    FileKind(behind: path) == .regular && FileManager.default.contents(atPath: path) == data
  }

  /// Writes the file, and leaves it alone where it would not change: what depends on it is not built
  /// again.
  ///
  /// - Throws: an error when the folder cannot be made or the file cannot be written.
  func write() throws {
    if isUpToDate { return }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileOutput.write(data, to: url)
  }
}
