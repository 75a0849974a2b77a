import Foundation
import Testing

@Suite("perennial --log", .enabled(if: Program.url != nil, "the program is not built"))
struct LogOptionTests {
  @Test("--log prints statements with their bindings on standard error, and does not change standard output")
  func statements() throws {
    let program = try Program()
    try program.seed()
    let fetch = ["fetch", "Notes.sqlite", "Tag", "--where", "name == 'x\u{1B}[2J'", "--format", "csv"]
    let plain = try program.run(fetch)
    let logged = try program.run(fetch + ["--log", "sql"])
    #expect(logged.status == 0 && logged.output == plain.output && plain.errors == "")
    let line = try #require(
      logged.errorLines.firstIndex { $0.contains("FROM ZTAG t0 WHERE t0.ZNAME = ? -- 0 rows, ") }
    )
    #expect(logged.errorLines[line].hasPrefix("sql: SELECT"))
    #expect(logged.errorLines[line + 1] == "  bindings: 'x\\u{1B}[2J'")
    #expect(!logged.errors.contains("\u{1B}"))
  }

  @Test("--log accepts levels and several topics, repeated or separated by commas")
  func topics() throws {
    let program = try Program()
    try program.seed()
    let count = ["fetch", "Notes.sqlite", "Tag", "--count", "--log"]
    let low = try program.run(count + ["sql:1"])
    #expect(low.errors.contains("SELECT COUNT(*) FROM ZTAG") && !low.errors.contains("  row: "))
    for arguments in [["migration,sql:4"], ["sql:4", "--log", "migration"], ["sql:1,sql:4"]] {
      let high = try program.run(count + arguments)
      #expect(high.status == 0 && high.errors.contains("  row: ") && high.errors.contains("  plan: SCAN "))
    }
    #expect(try program.run(count + ["migration"]).errors == "")
  }

  @Test(
    "every command that opens stores accepts --log and has it in its help",
    arguments: [
      ["seed", "seed"], ["seed", "diff"], ["reset"], ["build-store"], ["generate-data"], ["fetch"],
      ["inspect"],
      ["dump"],
      ["copy"],
      ["check"], ["migrate"], ["hashes"],
    ]
  )
  func commands(_ command: [String]) throws {
    #expect(try Program().run(command + ["--help"]).output.contains("--log <topics>"))
  }

  @Test(
    "--log exits with status 64 for an unknown word",
    arguments: ["SQL", "sql:0", "sql:5", "", "sql,", "all"]
  )
  func unknown(_ word: String) throws {
    let outcome = try Program().run("inspect", "Notes.sqlite", "--log", word)
    #expect(outcome.status == 64 && outcome.errors.contains("--log takes sql"))
  }

  @Test("--log prints the steps of a migration")
  func migration() throws {
    let program = try Program()
    try program.seed()
    try program.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model><entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/></entity></model>
      """,
      to: "New.xcdatamodel/contents"
    )
    let outcome = try program.run(
      "migrate",
      "Notes.sqlite",
      "--to",
      "New.xcdatamodel",
      "--drop",
      "Category",
      "--drop",
      "Note",
      "--log",
      "migration"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errorLines.first == "migration: it goes by statements, in one transaction")
    #expect(outcome.errors.contains("migration: step 1 of "))
  }
}
