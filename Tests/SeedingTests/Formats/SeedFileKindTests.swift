import Foundation
import Seeding
import Testing

@Suite("Kinds of seed files")
struct SeedFileKindTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  private func failure(_ url: URL) throws -> SeedError? {
    let store = try TestStore()
    return #expect(throws: SeedError.self) { try Seeder(.file(url)).runAndWait(in: store.coordinator) }
  }

  @Test("a pipe is refused as a seed and in a folder of seeds, without waiting for its writer")
  func pipes() throws {
    try inFolder {
      let pipe = folder.appendingPathComponent("tags.json")
      #expect(mkfifo(pipe.path, 0o600) == 0)
      for url in [pipe, folder] {
        let error = try failure(url)
        #expect(error?.code == .unreadableFile)
        #expect(error?.problem == "this is a pipe and no regular file")
        #expect(error?.position?.file == pipe.path)
      }
    }
  }

  @Test("an endless device is refused as a seed, also through a link")
  func devices() throws {
    try inFolder {
      let link = folder.appendingPathComponent("tags.json")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/dev/zero")
      #expect(try failure(link)?.problem == "this is a device and no regular file")
    }
  }

  @Test("in a folder of seeds, a subfolder with a seed's name is ignored and a link to a file is a seed")
  func foldersAndLinks() throws {
    try inFolder {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("seeds/notes.json"),
        withIntermediateDirectories: true
      )
      try Data("{\"tags\": [{\"name\": \"A\"}]}".utf8).write(to: folder.appendingPathComponent("real.json"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent("seeds/tags.json").path,
        withDestinationPath: "../real.json"
      )
      let store = try TestStore()
      let seeds = folder.appendingPathComponent("seeds")
      #expect(try Seeder(.file(seeds)).runAndWait(in: store.coordinator).total.created == 1)
    }
  }

  @Test("a seed that is a link without a target is an error")
  func dangling() throws {
    try inFolder {
      let link = folder.appendingPathComponent("tags.json")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "none.json")
      #expect(try failure(link)?.code == .unreadableFile)
      #expect(try failure(folder)?.code == .unreadableFile)
    }
  }
}
