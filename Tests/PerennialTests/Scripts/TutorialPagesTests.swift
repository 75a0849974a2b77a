import Foundation
import Testing

/// The pages that `Scripts/documentation --tutorials` generates from tutorials, in a repository of its own.
@Suite("The pages of tutorials")
struct TutorialPagesTests {
  private static let module = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/support/docsite/tutorials.py")

  private let program: Program

  init() throws {
    program = try Program()
    try program.write(String(contentsOf: Self.module, encoding: .utf8), to: "tutorials.py")
    try program.write("let a = 1\n", to: "Catalogue/Tutorials/Resources/A.swift")
  }

  /// Generates the pages of a tutorial with one step, and prints those that differ from the expected ones.
  private func write(step: String, calling method: String = "write") throws -> Program.Outcome {
    try program.write(
      """
      @Tutorial(time: 5) {
        @Intro(title: "The title") {
          The beginning.
        }

        @Section(title: "The section") {
          @ContentAndMedia {
            What it is about.
          }

          @Steps {
            @Step {
              \(step)
            }
          }
        }
      }
      """,
      to: "Catalogue/Tutorials/First.tutorial"
    )
    let python =
      "import pathlib, tutorials; t = tutorials.Tutorials(pathlib.Path.cwd(), 'Catalogue', 'Pages')"
    return try program.shell("PYTHONDONTWRITEBYTECODE=1 python3 -c \"\(python); print(t.\(method)())\" 2>&1")
  }

  @Test("A page has the texts of its tutorial in order, with the code in place")
  func page() throws {
    let outcome = try write(step: "Do it.\n\n        @Code(name: \"A.swift\", file: \"A.swift\")")
    #expect(outcome.output == "['Pages/First.md']\n")
    let page = try program.shell("cat Pages/First.md").output
    let parts = [
      "# The title", "The beginning.", "## The section", "What it is about.", "**1.** Do it.", "`A.swift`:",
      "```swift\nlet a = 1\n```",
    ]
    #expect(page.contains(parts[0...1].joined(separator: "\n\n")))
    #expect(page.hasSuffix(parts[2...].joined(separator: "\n\n") + "\n"))
  }

  @Test("A page that differs from its tutorial is named, and so is one without a tutorial")
  func outdated() throws {
    _ = try write(step: "Do it.")
    #expect(try write(step: "Do it.", calling: "outdated").output == "[]\n")
    try program.write("old\n", to: "Pages/Gone.md")
    let outcome = try write(step: "Do something else.", calling: "outdated")
    #expect(outcome.output == "['Pages/First.md', 'Pages/Gone.md']\n")
    _ = try write(step: "Do something else.")
    #expect(try program.shell("ls Pages").output == "First.md\n")
  }

  @Test("A file that a step names and the catalogue lacks is an error with the step's place")
  func missing() throws {
    let outcome = try write(step: "@Code(name: \"B.swift\", file: \"B.swift\")")
    #expect(outcome.status != 0)
    #expect(
      outcome.output.contains(
        "Catalogue/Tutorials/First.tutorial:13: Catalogue/Tutorials/Resources/B.swift does not exist"
      )
    )
  }
}
