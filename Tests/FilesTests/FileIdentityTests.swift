import Files
import Foundation
import TestSupport
import Testing

@Suite("The identity of a file")
struct FileIdentityTests {
  private let folder: TestFolder
  private let file: URL

  init() throws {
    folder = try TestFolder()
    file = try folder.write("file", "one")
  }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  @Test("A file's identity is the same by all of its names, and after it was written and renamed")
  func names() throws {
    let identity = try FileIdentity(resolving: file.path)
    try folder.link("link", to: "file")
    #expect(link(file.path, path("other")) == 0)
    #expect(try FileIdentity(resolving: path("link")) == identity)
    #expect(try FileIdentity(resolving: path("other")) == identity)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("more".utf8))
    try handle.close()
    #expect(rename(file.path, path("renamed")) == 0)
    #expect(try FileIdentity(resolving: path("renamed")) == identity)
  }

  @Test("A file that replaces an open file under its name has another identity")
  func replaced() throws {
    let open = try Descriptor(path: file.path, flags: O_RDONLY)
    let identity = FileIdentity(try open.status())
    #expect(try FileIdentity(resolving: file.path) == identity)
    try FileOutput.write(Data("one".utf8), to: file)
    #expect(try FileIdentity(resolving: file.path) != identity)
  }

  @Test("The identity of a missing file or a broken link is an error")
  func nothing() throws {
    try folder.link("link", to: "nothing")
    for name in ["nothing", "link"] {
      let failure = #expect(throws: FileFailure.self) { try FileIdentity(resolving: path(name)) }
      #expect(failure?.code == ENOENT)
    }
  }

  @Test("A file's identity includes a content version, which changes when the file is written or replaced")
  func versions() throws {
    let version = try #require(FileVersion(resolving: file.path))
    #expect(FileVersion(resolving: file.path) == version)
    let output = try FileOutput(file)
    try output.write(Data("one".utf8))
    let replaced = try #require(try output.version())
    try output.finish()
    #expect(FileVersion(resolving: file.path) == replaced)
    #expect(replaced != version)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("longer".utf8))
    try handle.close()
    #expect(FileVersion(resolving: file.path) != replaced)
    #expect(FileVersion(resolving: path("nothing")) == nil)
  }
}
