import Files
import Foundation
import TestSupport
import Testing

@Suite("The file system of a file")
struct FileSystemStateTests {
  @Test("has room, as the system tells, and can be written")
  func room() throws {
    let folder = try TestFolder()
    let state = try FileSystemState(behind: folder.url.path)
    #expect(state.availableByteCount > 0)
    #expect(!state.isReadOnly)
  }

  @Test("is an error where there is nothing")
  func missing() throws {
    let folder = try TestFolder()
    #expect(throws: FileFailure.self) {
      try FileSystemState(behind: folder.url.appendingPathComponent("missing").path)
    }
  }
}
