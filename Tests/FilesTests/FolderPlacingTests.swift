import Files
import Foundation
import TestSupport
import Testing

@Suite("Putting a folder at a place")
struct FolderPlacingTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  /// Makes a folder, with a file in it if one is given, and returns its path.
  private func makeFolder(_ name: String, holding file: String?) throws -> String {
    let made = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    if let file { try Data("text".utf8).write(to: made.appendingPathComponent(file)) }
    return made.path
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("A folder can be placed at a free path or over an empty folder", arguments: [false, true])
  func placed(isThere: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = try makeFolder("new", holding: "one")
    let place = folder.appendingPathComponent("place").path
    if isThere { _ = try makeFolder("place", holding: nil) }
    #expect(try FilePlacing.putFolderIfAbsent(new, at: place))
    #expect(try names(in: place) == ["one"])
    #expect(try names(in: folder.path) == ["place"])
  }

  @Test("A folder does not replace a folder with contents, a file or a link")
  func taken() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = try makeFolder("new", holding: "one")
    let full = try makeFolder("full", holding: "other")
    let file = "\(full)/other"
    let link = folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    for place in [full, file, link] {
      #expect(try !FilePlacing.putFolderIfAbsent(new, at: place), "\(place)")
    }
    #expect(try names(in: folder.path) == ["full", "link", "new"])
    #expect(try names(in: full) == ["other"])
  }

  @Test("Placing a folder into a missing folder is an error")
  func nowhere() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = try makeFolder("new", holding: "one")
    #expect(throws: FileFailure.self) {
      try FilePlacing.putFolderIfAbsent(new, at: folder.appendingPathComponent("none/place").path)
    }
    #expect(try names(in: new) == ["one"])
  }
}
