import Foundation
import Testing

/// `Scripts/checks/labels`, in a folder of its own with one source file.
@Suite(
  "The check of the labels of parameters",
  .enabled(if: Program.tool("python3") != nil, "there is no python3 here")
)
struct LabelsCheckTests {
  private let program: Program

  init() throws {
    program = try Program()
    let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(
      contentsOf: project.appendingPathComponent("Scripts/checks/labels"),
      encoding: .utf8
    )
    try program.write(text, to: "package/Scripts/checks/labels")
  }

  private func check(_ source: String) throws -> Program.Outcome {
    try program.write(source, to: "package/Sources/Rows.swift")
    return try program.shell("cd package && python3 Scripts/checks/labels --list")
  }

  @Test(
    "a declaration with a parameter that needs a label fails the check, and --list names it",
    arguments: [
      "func copy(_ row: Row, _ store: Store) {}", "init(_ row: Row,\n  _ store: Store) {}",
      "func copy(row: Row, _ store: Store) {}", "static func copy<Value>(_ row: Value, _ number: Int) {}",
    ]
  )
  func unlabelled(source: String) throws {
    let outcome = try check(source)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("Sources/Rows.swift:1: "), "\(outcome.output)")
    #expect(outcome.errors.contains("1 of 1 declarations"), "\(outcome.errors)")
  }

  @Test(
    "one unlabelled parameter before the others, and closures, pass the check",
    arguments: [
      "func copy(_ row: Row, to store: Store) {}", "init(row: Row, store: Store) {}",
      "func copy(_ row: Row, _ body: (Row) -> Void) {}", "// func copy(_ row: Row, _ store: Store)",
      "let copies = rows.map { copy($0, store) }",
    ]
  )
  func labelled(source: String) throws {
    let outcome = try check(source)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
