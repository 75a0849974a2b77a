import Foundation
import Testing

/// `Scripts/checks/words`, in a repository of its own with one guide.
@Suite(
  "The check of the documentation's sentences",
  .enabled(if: Program.tool("python3") != nil, "there is no python3 here")
)
struct WordsCheckTests {
  private let program: Program

  init() throws {
    program = try Program()
    let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    for path in ["Scripts/checks/words", "Scripts/support/docsite/markdown.py"] {
      let text = try String(contentsOf: project.appendingPathComponent(path), encoding: .utf8)
      try program.write(text, to: "repository/\(path)")
    }
    #expect(try program.shell("cd repository && git init --quiet").status == 0)
  }

  private func check(_ lines: [String]) throws -> Program.Outcome {
    try program.write(lines.joined(separator: "\n"), to: "repository/Documentation/Guide.md")
    return try program.shell("cd repository && python3 Scripts/checks/words")
  }

  @Test(
    "a sentence that hides its actor or its thing is named with its line",
    arguments: [
      ("Whoever writes it waits.", "Whoever"), ("It lies beside the file.", "beside"),
      ("That is no store.", "is no store"), ("What is saved is there.", "What is saved is"),
      ("The log is told.", "is told"),
    ]
  )
  func phrases(sentence: String, phrase: String) throws {
    let outcome = try check(["The context saves.", sentence])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Documentation/Guide.md:2: \(phrase): "), "\(outcome.errors)")
  }

  @Test(
    "plain sentences and code pass the check",
    arguments: [
      "There is no store.", "Call `port(_:beside:)`.", "```\nnobody\n```", "The server is no longer there.",
    ]
  )
  func plain(sentence: String) throws {
    let outcome = try check([sentence])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
  }

  @Test("the check allows three phrases in a thousand lines, and refuses four")
  func limit() throws {
    let lines = Array(repeating: "The context saves.", count: 996)
    #expect(try check(lines + ["A context."] + Array(repeating: "Nobody.", count: 3)).status == 0)
    #expect(try check(lines + Array(repeating: "Nobody.", count: 4)).status == 1)
  }

  @Test("the check reads the comments of sources and not their code")
  func comments() throws {
    try program.write(
      "let nobody = 1\n/// The context saves `nobody`.\n",
      to: "repository/Sources/Plain.swift"
    )
    #expect(try check(["The context saves."]).status == 0)
    try program.write("let row = 1\n  // Nobody saves it.\n", to: "repository/Sources/Riddle.swift")
    let outcome = try check(["The context saves."])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Sources/Riddle.swift:2: Nobody: "), "\(outcome.errors)")
  }
}
