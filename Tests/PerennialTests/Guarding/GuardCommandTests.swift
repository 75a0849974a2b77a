import Foundation
import TestSupport
import Testing

@testable import PerennialCommands

@Suite(
  "The command perennial guard",
  .enabled(
    if: Program.url != nil && GuardedRepository.isAvailable,
    "perennial is not beside the tests, or git is missing"
  )
)
struct GuardCommandTests {
  private let repository: GuardedRepository
  private let program: Program

  init() throws {
    repository = try GuardedRepository()
    program = try Program()
  }

  private func run(_ options: String...) throws -> Program.Outcome {
    try program.run(["guard", repository.path] + options)
  }

  private func edit() throws {
    let edited = GuardedRepository.notes.replacing("Integer 32", with: "Integer 64")
    try repository.write(GuardedRepository.contents(version: "Notes"), edited)
  }

  @Test(
    "perennial guard exits with 0 for a model that may be merged, 1 for a refused one, and 2 without a judgment"
  )
  func status() throws {
    let passed = try run("--against", "main")
    #expect(passed.status == 0 && passed.output.contains("may be merged: nothing found"), "\(passed)")
    let unjudged = try run("--against", "nowhere")
    #expect(unjudged.status == 2 && unjudged.errorLines.count == 1, "\(unjudged)")
    try edit()
    let refused = try run("--against", "main")
    #expect(refused.status == 1 && refused.output.contains("is refused: 1 error"), "\(refused)")
    #expect(
      refused.output.contains("[changed-version]")
        && refused.output.contains("  do: restore it: git checkout")
    )
  }

  @Test(
    "a missing model, and a file that is not a package, cannot be judged",
    arguments: ["Gone.xcdatamodeld", "seed.json"]
  )
  func missing(path: String) throws {
    let outcome = try program.run("guard", path, "--against", "main")
    #expect(outcome.status == 2 && outcome.errorLines.count == 1, "\(outcome)")
  }

  @Test("annotations name the file from the top of the workspace and the line, and escape what ends them")
  func annotations() throws {
    try edit()
    let report = try repository.judge()
    let lines = report.annotations(workspace: repository.top.path).split(separator: "\n")
    let first = try #require(lines.first)
    #expect(lines.count == 1)
    #expect(
      first.hasPrefix(
        "::error file=\(GuardedRepository.contents(version: "Notes")),line=4,title=perennial guard%3A changed-version::version Notes"
      ),
      "\(first)"
    )
    let outcome = try run("--against", "main", "--github")
    #expect(outcome.output.contains("\n::error file="))
  }

  @Test("--strict refuses a warning")
  func strict() throws {
    let named = GuardedRepository.notes.replacing(
      #"representedClassName="Note""#,
      with: #"representedClassName="Leaf""#
    )
    try repository.write(GuardedRepository.contents(version: "Notes"), named)
    let outcome = try run("--against", "main")
    #expect(outcome.status == 0 && outcome.output.contains("[hidden-change]"), "\(outcome)")
    #expect(try run("--against", "main", "--strict").status == 1)
  }

  @Test("the JSON has the verdict, each finding with its remedy, and the way of each version")
  func json() throws {
    try edit()
    let outcome = try run("--against", "main", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    )
    #expect(object["verdict"] as? String == "refused" && object["status"] as? Int == 1 && outcome.status == 1)
    let finding = try #require((object["findings"] as? [[String: Any]])?.first)
    #expect(finding["code"] as? String == "changed-version" && finding["line"] as? Int == 4)
    #expect((finding["remedy"] as? String)?.isEmpty == false)
    #expect((object["versions"] as? [[String: Any]])?.first?["way"] as? String == "current")
    // The JSON output also reports that a comparison could not be judged.
    let unjudged = try run("--against", "nowhere", "--json")
    #expect(unjudged.output.contains(#""verdict" : "unjudged""#) && unjudged.status == 2)
  }

  @Test("the Markdown has a row for each finding, and names of a model cannot break it or call people")
  func markdown() throws {
    try edit()
    let outcome = try run("--against", "main", "--markdown", "comment.md")
    let text = try String(contentsOf: program.folder.appendingPathComponent("comment.md"), encoding: .utf8)
    #expect(outcome.status == 1 && text.hasPrefix("### "))
    #expect(text.contains("| error | <code>") && text.contains("version Notes, entity Note, attribute stars"))

    let finding = GuardFinding(
      severity: .error,
      code: .loss,
      file: "a|b",
      subject: "entity <b>@all</b>",
      problem: "one\ntwo | three `code`",
      remedy: "[link](x)"
    )
    let report = GuardReport(
      model: "M",
      reference: nil,
      current: nil,
      ways: [],
      findings: [finding],
      isStrict: false
    )
    let row = try #require(report.markdown.split(separator: "\n").first { $0.hasPrefix("| error") })
    #expect(
      !row.contains("<b>") && !row.contains("@all") && row.contains("\\`code\\`")
        && row.contains("\\[link\\]")
    )
    #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 5)
  }

  @Test("the page of the difference is written for the two current versions")
  func html() throws {
    try repository.addVersion("Notes 2", #"<attribute name="title" optional="YES" attributeType="String"/>"#)
    let outcome = try run("--against", "main", "--html", "diff.html")
    let page = try String(contentsOf: program.folder.appendingPathComponent("diff.html"), encoding: .utf8)
    #expect(page.contains("attribute stars") && outcome.status == 0, "\(outcome)")
    let new = try run("--html", "none.html")
    #expect(!program.exists("none.html") && new.errors.contains("no page was written"))
  }

  @Test("--in-code names a version of the package")
  func inCode() throws {
    let outcome = try run("--against", "main", "--in-code", "Notes 9")
    #expect(
      outcome.status == 2 && outcome.errors.contains("the package has no version of this name"),
      "\(outcome)"
    )
  }

  @Test("a report that cannot be written, and a missing mapping model, are not a verdict on the model")
  func failures() throws {
    for options in [["--markdown", "missing/comment.md"], ["--mapping", "missing.xcmappingmodel"]] {
      let outcome = try program.run(["guard", repository.path, "--against", "main"] + options)
      #expect(outcome.status == 2 && outcome.errorLines.count == 1, "\(outcome)")
    }
  }

  @Test("a hook of another repository, which sets variables for git, does not mislead it")
  func hook() throws {
    let line = "GIT_DIR=.git GIT_WORK_TREE=. perennial guard '\(repository.path)' --against main"
    let outcome = try program.shell(line)
    #expect(outcome.status == 0, "\(outcome)")
  }
}
