import Foundation
import Testing

@testable import PerennialCommands

@Suite("The file that an option names for a command's output")
struct OptionFileTests {
  @Test(
    "a file that cannot be written is reported with its path, its content and the option",
    arguments: [
      ("--html", "page"), ("--markdown", "report"), ("--output", "picture"), ("--output", "schema"),
    ]
  )
  func unwritable(option: String, content: String) throws {
    let folder = FileManager.default.temporaryDirectory.path
    let failure = try #require(throws: CommandFailure.self) {
      try OptionFile(path: folder, option: option, content: content).write("text")
    }
    #expect(failure.description.hasPrefix("\(folder): the \(content) cannot be written here: "))
    #expect(failure.description.hasSuffix("; give another file with \(option)"))
  }

  @Test("a file that can be written has exactly the text")
  func written() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try OptionFile(path: file.path, option: "--output", content: "schema").write("größe\n")
    #expect(try String(contentsOf: file, encoding: .utf8) == "größe\n")
  }
}
