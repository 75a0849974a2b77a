import Files
import Foundation
import TestSupport
import Testing

@Suite("The file system of a file")
struct FileSystemStateTests {
  @Test("The file system has the free space that the system reports, and is writable")
  func room() throws {
    let folder = try TestFolder()
    let state = try FileSystemState(resolving: folder.url.path)
    #expect(state.availableByteCount > 0)
    #expect(!state.isReadOnly)
  }

  @Test("The file system of a missing file is an error")
  func missing() throws {
    let folder = try TestFolder()
    #expect(throws: FileFailure.self) {
      try FileSystemState(resolving: folder.url.appendingPathComponent("missing").path)
    }
  }
}
