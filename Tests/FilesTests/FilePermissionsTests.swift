import Foundation
import Testing

@testable import Files

@Suite("The permissions of files made from a file")
struct FilePermissionsTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    guard lstat(path(name), &status) == 0 else { throw FileFailure(path: path(name)) }
    return status
  }

  private func mode(_ name: String) throws -> mode_t { try status(name).st_mode & 0o777 }

  private func make(_ name: String, _ mode: mode_t) throws {
    try Data().write(to: folder.appendingPathComponent(name))
    #expect(chmod(path(name), mode) == 0)
  }

  @Test("a file is made with the permissions of another", arguments: [0o600, 0o640, 0o644] as [mode_t])
  func made(_ given: mode_t) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let mask = umask(0o022)
    umask(mask)
    try make("original", given)
    try FilePlacing.makeFile(path("copy"), withModeOf: path("original"))
    #expect(try mode("copy") == given & ~mask)
  }

  @Test("the owner may write a file made from a read-only one")
  func readOnly() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make("original", 0o400)
    try FilePlacing.makeFile(path("copy"), withModeOf: path("original"))
    #expect(try mode("copy") == 0o600)
  }

  @Test("a file loses forbidden permissions, and keeps the rest")
  func limited() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make("original", 0o640)
    try make("copy", 0o766)
    try FilePermissions(resolving: path("original"))?.limit(fileAt: path("copy"))
    #expect(try mode("copy") == 0o740)
    #expect(throws: FileFailure.self) {
      try FilePermissions(resolving: path("original"))?.limit(fileAt: path("nothing"))
    }
    #expect(FilePermissions(resolving: path("nothing")) == nil)
  }

  @Test("the group keeps its permissions for other content, unless others would get more")
  func holding() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let cases: [(present: mode_t, content: mode_t, result: mode_t)] = [
      (0o660, 0o600, 0o660), (0o664, 0o600, 0o600), (0o664, 0o640, 0o640), (0o600, 0o644, 0o600),
      (0o664, 0o644, 0o664),
    ]
    for modes in cases {
      try make("present", modes.present)
      try make("content", modes.content)
      try make("new", 0o600)
      let content = try #require(FilePermissions(resolving: path("content")))
      let present = try #require(FilePermissions(resolving: path("present")))
      let permissions = present.holding(contentOf: content)
      try permissions.give(toFileAt: path("new"))
      try permissions.limit(fileAt: path("present"))
      #expect(try mode("new") == modes.result)
      #expect(try mode("present") == modes.result)
      #expect(throws: FileFailure.self) { try permissions.give(toFileAt: path("nothing")) }
    }
  }

  @Test(
    "a file in a public folder is private from its first byte on if it replaces a private one"
  )
  func output() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make("file", 0o600)
    let output = try FileOutput(folder.appendingPathComponent("file"))
    let temporary = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "file" }
    #expect(temporary.count == 1)
    #expect(try mode(temporary.first ?? "") == 0o600)
    output.discard()
  }

  @Test(
    "the group is copied, and another group gets only the permissions of all others",
    .enabled(if: geteuid() == 0, "only root gives files to any group")
  )
  func group() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make("original", 0o640)
    #expect(chown(path("original"), uid_t.max, 4711) == 0)
    try FilePlacing.makeFile(path("copy"), withModeOf: path("original"))
    #expect(try status("copy").st_gid == 4711)
    try make("present", 0o644)
    try FilePermissions(resolving: path("original"))?.limit(fileAt: path("present"))
    #expect(try mode("present") == 0o600)
  }
}
