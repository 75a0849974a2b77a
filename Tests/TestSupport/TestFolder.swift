package import Foundation

/// A folder that exists as long as a test runs.
package final class TestFolder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  package init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file, and creates the folders of its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> URL { try write(name, Data(text.utf8)) }

  @discardableResult
  package func write(_ name: String, _ data: Data) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: file)
    return file
  }

  package func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appendingPathComponent(name).path,
      withDestinationPath: destination
    )
  }
}
