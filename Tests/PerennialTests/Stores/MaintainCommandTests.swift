import Foundation
import Testing

@Suite("perennial maintain", .enabled(if: Program.url != nil, "the program is not built"))
struct MaintainCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  @Test("perennial maintain reports its work, and the store is intact")
  func maintains() throws {
    let dump = try program.run("dump", "Notes.sqlite").output
    let outcome = try program.run("maintain", "Notes.sqlite", "--history-days", "30")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first == "history: 0 transactions deleted")
    #expect(lines.contains("statistics: up to date") && lines.contains("log: in the file"))
    #expect(outcome.output.contains(/file: \d+ bytes given back, \d+ bytes left\n/))
    #expect(try program.run("check", "Notes.sqlite").output == "nothing is wrong\n")
    #expect(try program.run("dump", "Notes.sqlite").output == dump)
    #expect(try !program.run("maintain", "Notes.sqlite").output.contains("history"))
  }

  @Test("perennial maintain fails with one line for other files than SQLite stores and for invalid days")
  func failures() throws {
    #expect(try program.run("copy", "Notes.sqlite", "Notes.xml").status == 0)
    for (store, word) in [("missing.sqlite", "missing.sqlite"), ("Notes.xml", "only SQLite")] {
      let outcome = try program.run("maintain", store)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(word))
    }
    for days in ["-1", "nan", "week"] {
      let outcome = try program.run("maintain", "Notes.sqlite", "--history-days=\(days)")
      #expect(outcome.status == 64 && outcome.errors.contains("history-days"), "\(outcome.errors)")
    }
  }
}
