import Files
import Foundation

/// Writes files, and leaves alone those that would not change: what depends on them is not built again.
enum OutputFile {
  static func write(_ data: Data, to path: String) throws {
    if FileKind(behind: path) == .regular, FileManager.default.contents(atPath: path) == data { return }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileOutput.write(data, to: url)
  }
}
