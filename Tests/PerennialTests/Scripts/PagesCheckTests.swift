import Foundation
import Testing

/// `Scripts/checks/pages`, in a repository of its own with one source and one guide.
@Suite(
  "The check of the documentation's names and links",
  .enabled(if: Program.tool("python3") != nil, "there is no python3 here")
)
struct PagesCheckTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let source = """
    /// A note. It was called FormerNote.
    struct Note {
      init(title: String, tags: [String: (Int) -> Bool] = [:]) {}
      func move(_ note: Note, to folder: @escaping (Int, Int) -> Void, isFinal: Bool = true) {}
    }
    """

  private let program: Program

  init() throws {
    program = try Program()
    for path in ["Scripts/checks/pages", "Scripts/support/docsite/markdown.py"] {
      let text = try String(contentsOf: Self.project.appendingPathComponent(path), encoding: .utf8)
      try program.write(text, to: "repository/\(path)")
    }
    let foreign = "ForeignName  # another library's\n"
    try program.write(foreign, to: "repository/Scripts/checks/pages-foreign.txt")
    try program.write(Self.source, to: "repository/Sources/Notes/NoteTree.swift")
    #expect(try program.shell("cd repository && git init --quiet").status == 0)
  }

  /// The output of the check for a guide with this text.
  private func problems(_ guide: String) throws -> String {
    try program.write("# Guide\n\n\(guide)\n", to: "repository/Documentation/Guide.md")
    let outcome = try program.shell("cd repository && python3 Scripts/checks/pages")
    #expect((outcome.status == 0) == outcome.errors.isEmpty)
    return outcome.errors
  }

  @Test(
    "a name, a function, a path and a link that exist pass the check",
    arguments: [
      "`Note`", "`Note(title:)`", "`move(_:to:)`", "`Note.move(_:to:isFinal:)`", "`move()`", "`ForeignName`",
      "`NoteTree.swift`", "`Sources/Notes`", "`Notes/NoteTree.swift`", "[up](#guide)",
      "[source](../Sources/Notes)",
      "`Notes.sqlite`", "`/etc/passwd`", "```\nLostName\n```",
    ]
  )
  func existing(guide: String) throws {
    #expect(try problems(guide).isEmpty)
  }

  @Test(
    "a name, a function, a path and a link that lead nowhere are named with their line",
    arguments: [
      ("`LostName`", "nothing is called LostName"),
      ("`FormerNote`", "nothing is called FormerNote"),
      ("`move(_:into:)`", "no function is called move(_:into:)"),
      ("`Note(name:)`", "no function is called Note(name:)"),
      ("`vanish()`", "no function is called vanish()"),
      ("`LostName.move(_:to:)`", "nothing is called LostName"),
      ("`LostTree.swift`", "there is no LostTree.swift"),
      ("`Sources/Lost`", "there is no Sources/Lost"),
      ("[lost](Lost.md)", "the link Lost.md leads nowhere"),
      ("[lost](#lost)", "the link #lost leads to a heading that is not in Documentation/Guide.md"),
    ]
  )
  func missing(guide: String, problem: String) throws {
    #expect(try problems(guide) == "Documentation/Guide.md:3: \(problem)\n")
  }

  @Test(
    "the documentation of this repository passes the check",
    .enabled(
      if: FileManager.default.fileExists(atPath: Self.project.appendingPathComponent(".git").path),
      "the check asks git for the files, and this folder is a copy without its repository"
    )
  )
  func repository() throws {
    let script = Self.project.appendingPathComponent("Scripts/checks/pages").path
    let outcome = try program.shell("python3 '\(script)'")
    #expect(outcome.errors.isEmpty)
  }
}
