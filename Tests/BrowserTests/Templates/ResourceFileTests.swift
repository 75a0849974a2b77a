import Foundation
import Testing

@testable import Browser

@Suite("The embedded files of pages")
struct ResourceFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(components: "..", "..", "..", "Sources", "Browser", "Resources").standardizedFileURL

  @Test("The list of embedded files has every file of the folder, with its contents")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    #expect(ResourceFile.all.map(\.name).sorted() == names.sorted())
    for file in ResourceFile.all {
      let contents = try Data(contentsOf: Self.folder.appending(component: file.name))
      #expect(Data(file.contents) == contents, "\(file.name)")
    }
  }

  @Test("Every embedded file is a template, or is served with its type")
  func kinds() {
    let served = ResourceFile.assets.map(\.file.name)
    let templates = Templates.sources.keys.map { "\($0).mustache" }
    #expect((served + templates).sorted() == ResourceFile.all.map(\.name).sorted())
  }
}
