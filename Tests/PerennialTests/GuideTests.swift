import Foundation
import Testing

/// The commands of the guides print what the guides say.
///
/// A block whose first line has a name behind the language is a file of that name; in a block of `sh` the lines behind `$ ` are
/// commands, and those up to the next command what it prints.
@Suite("Guides", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct GuideTests {
  @Test("each command of a guide prints what stands below it", arguments: ["Seeding.md"])
  func commands(guide: String) throws {
    let program = try Program()
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appendingPathComponent("Documentation/\(guide)"),
      encoding: .utf8
    )
    let blocks = Self.blocks(of: text)
    #expect(blocks.contains { $0.language == "sh" })
    for block in blocks {
      if let file = block.file { try program.write(block.lines.joined(separator: "\n") + "\n", to: file) }
      guard block.language == "sh" else { continue }
      for (command, expected) in Self.commands(in: block.lines) {
        let outcome = try program.shell(command)
        #expect(Self.lines(outcome.output + outcome.errors) == expected, "\(command)")
      }
    }
  }

  private struct Block {
    let language: String
    let file: String?
    var lines: [String] = []
  }

  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        isOpen.toggle()
        guard isOpen else { continue }
        let words = line.dropFirst(3).split(separator: " ").map(String.init)
        blocks.append(Block(language: words.first ?? "", file: words.dropFirst().first))
      } else if isOpen {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    return blocks
  }

  private static func commands(in lines: [String]) -> [(command: String, output: [String])] {
    var commands: [(command: String, output: [String])] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        commands.append((String(line.dropFirst(2)), []))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
    return commands
  }

  /// Without the spaces at the ends, which nobody sees.
  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
