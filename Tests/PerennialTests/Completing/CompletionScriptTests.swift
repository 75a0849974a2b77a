import Foundation
import Testing

/// The completion scripts for shells, and what bash completes with its script.
@Suite(
  "Completion in shells",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct CompletionScriptTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  private static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

  @Test("the completion script of each shell has all commands", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let outcome = try program.run("--generate-completion-script", shell)
    #expect(outcome.status == 0)
    for command in ["init", "seed", "fetch", "doctor", "browse", "port"] {
      #expect(outcome.output.contains(command), "\(command)")
    }
  }

  /// The completions that bash offers for the last word of a line, which may be empty.
  private func completions(_ words: [String]) throws -> [String] {
    let script = try program.run("--generate-completion-script", "bash").output
    try program.write(script, to: "completion.bash")
    let spelled = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    try program.write(
      """
      source ./completion.bash
      export PERENNIAL_COMPLETION_SECONDS=86400
      COMP_WORDS=(\(spelled))
      COMP_CWORD=\(words.count - 1)
      COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      COMPREPLY=()
      current="${COMP_WORDS[COMP_CWORD]}"
      _perennial perennial "${current#[\\'\\"]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"

      """,
      to: "ask.bash"
    )
    let outcome = try program.shell("exec /bin/bash ask.bash")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "bash completes subcommands, options, models, stores, entities, key paths and predicates",
    .enabled(if: hasBash)
  )
  func bash() throws {
    #expect(try completions(["perennial", "doc"]) == ["doctor"])
    #expect(try completions(["perennial", "fetch", "--grou"]) == ["--group-by"])
    #expect(try completions(["perennial", "fetch", "Not"]).contains("Notes.sqlite"))
    #expect(try completions(["perennial", "compile", "Not"]).contains("Notes.xcdatamodeld"))
    #expect(
      try completions(["perennial", "fetch", "Notes.sqlite", ""]).sorted() == ["Category", "Note", "Tag"]
    )
    #expect(
      try completions(["perennial", "fetch", "Notes.sqlite", "Note", "--sort", "category.n"]) == [
        "category.name", "category.notes", "category.notes.",
      ]
    )
    let fetch = ["perennial", "fetch", "Notes.sqlite", "Note", "--where"]
    #expect(
      try completions(fetch + ["'category.notes.@count > 3 AND upd"]) == [
        "category.notes.@count > 3 AND updatedAt"
      ]
    )
    #expect(try completions(fetch + ["'category.name == "]).contains("category.name == \"Shrubs\""))
  }

  @Test("bash does not execute names from an untrusted model", .enabled(if: hasBash))
  func hostile() throws {
    let name = "$(touch&#32;run)"
    try program.write(
      "<model><entity name=\"\(name)\"><attribute name=\"a\" attributeType=\"String\"/></entity></model>",
      to: "Hostile.xcdatamodel/contents"
    )
    _ = try completions(["perennial", "diagram", "Hostile.xcdatamodel", "--entity", ""])
    #expect(!program.exists("run"))
  }

  @Test("damaged and other files offer no completion and print nothing", .enabled(if: hasBash))
  func damaged() throws {
    try program.write("a letter", to: "letter.sqlite")
    try program.write("<model>", to: "Broken.xcdatamodel/contents")
    for file in ["letter.sqlite", "Broken.xcdatamodel", "none.sqlite", "seed.json"] {
      #expect(try completions(["perennial", "fetch", file, ""]) == [], "\(file)")
    }
  }
}
