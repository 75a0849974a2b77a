import Foundation
import Testing

/// Runs the commands in the guides and compares their output, and checks that the guides' Swift code is quoted from compiled
/// programs and tests.
///
/// A block with a name after its language is a file of that name. In a block of `sh`, the lines after `$ ` are commands, and
/// the other lines are their output. A block of `swift` with a path quotes that file.
@Suite("Guides", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct GuideTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The guides whose Swift code `Scripts/checks/doc-examples` compiles.
  private static let compiledGuides =
    ["CI.md", "CoreData.md", "MovingIn.md", "Seeding.md"] + pages(in: "Seeding")

  /// The guides that quote their Swift code from programs and tests.
  private static let quotingGuides = pages(in: "Guides")

  private static func pages(in folder: String) -> [String] {
    let place = project.appendingPathComponent("Documentation/\(folder)")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }

  private static let guides = compiledGuides + quotingGuides

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.project.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("there are at least twenty guides, and the README links to each or to a guide that does")
  func all() throws {
    #expect(Self.guides.count >= 20)
    let readme = try text("README.md")
    let seeding = try text("Documentation/Seeding.md")
    for guide in Self.guides {
      let isListed = readme.contains("(Documentation/\(guide))") || seeding.contains("(\(guide))")
      #expect(isListed, "\(guide)")
    }
  }

  @Test(
    "a page about seeds is read at one sitting: it has at most 2,500 words",
    arguments: pages(in: "Seeding") + ["Seeding.md"]
  )
  func length(guide: String) throws {
    #expect(try text("Documentation/\(guide)").split(whereSeparator: \.isWhitespace).count <= 2500)
  }

  @Test("all Swift code of a guide is quoted from tests", arguments: quotingGuides)
  func quotations(guide: String) throws {
    let blocks = Self.blocks(of: try text("Documentation/\(guide)")).filter { $0.language == "swift" }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let file = try #require(block.file, "\(guide): \(block.lines.first ?? "")")
      let quoted = block.lines.map { $0.trimmingCharacters(in: .whitespaces) }
      let source = try text(file).split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let isThere = source.indices.contains { source[$0...].starts(with: quoted) }
      #expect(isThere, "\(guide): \(file) has not: \(quoted.first ?? "")")
    }
  }

  @Test("each command of a guide prints what stands below it", arguments: guides)
  func commands(guide: String) throws { try run(text("Documentation/\(guide)")) }

  /// The server that the guide to PostgreSQL names.
  private static let server = "postgresql://shop@db.example.com/shop"

  @Test(
    "each command of the guide to PostgreSQL prints what stands below it",
    .enabled(if: ServerSchema.server != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  func commandsWithServer() throws {
    let server = try #require(ServerSchema.server)
    let program = try Program()
    func removeSchemas() throws {
      for schema in ["notes", "\"notes-unrepaired\""] {
        _ = try program.shell("psql '\(server)' -Xqc 'DROP SCHEMA IF EXISTS \(schema) CASCADE'")
      }
    }
    try removeSchemas()
    defer { try? removeSchemas() }
    try run(text("Documentation/PostgreSQL.md").replacing(Self.server, with: server), with: program)
  }

  private func run(_ text: String, with program: Program? = nil) throws {
    let program = try program ?? Program()
    let blocks = Self.blocks(of: text)
    #expect(blocks.contains { $0.language == "sh" })
    for block in blocks where block.language != "swift" {
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
        let words = line.dropFirst(3).split(separator: " ", maxSplits: 1).map(String.init)
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

  /// The lines without trailing spaces, which a reader cannot see.
  private static func lines(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
