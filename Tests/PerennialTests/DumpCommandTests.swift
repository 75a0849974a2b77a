import Foundation
import Testing

@Suite("perennial dump", .enabled(if: Program.url != nil, "the program is not built"))
struct DumpCommandTests {
  @Test("writes a seed that loads into an equal store, which gives the same text again")
  func roundTrip() throws {
    let program = try Program()
    try program.seed()
    let dumped = try program.run("dump", "Notes.sqlite", "--output", "dump.json")
    #expect(dumped.status == 0, "\(dumped.errors)")
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "dump.json", "--store", "Other.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    for entity in ["Note", "Tag", "Category"] {
      let arguments = ["--sort", entity == "Note" ? "title" : "name", "--format", "json"]
      let one = try program.run(["fetch", "Notes.sqlite", entity] + arguments)
      let other = try program.run(["fetch", "Other.sqlite", entity] + arguments)
      #expect(one.output == other.output && one.output.count > 100)
    }
    let again = try program.run("dump", "Other.sqlite")
    #expect(
      again.output
        == (try String(contentsOf: program.folder.appendingPathComponent("dump.json"), encoding: .utf8))
    )
  }

  @Test("changes nothing in the store, and gives the same text each time")
  func stable() throws {
    let program = try Program()
    try program.seed()
    let file = program.folder.appendingPathComponent("Notes.sqlite")
    let before = try Data(contentsOf: file)
    #expect(
      try program.run("dump", "Notes.sqlite").output == (try program.run("dump", "Notes.sqlite").output)
    )
    #expect(try Data(contentsOf: file) == before)
  }

  @Test("says what a seed cannot say, and leaves it out when it is told to")
  func partial() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite")
    #expect(outcome.status == 0)
    try program.execute("UPDATE ZTAG SET ZNAME = (SELECT MIN(ZNAME) FROM ZTAG) WHERE Z_PK < 3")
    let refused = try program.run("dump", "Notes.sqlite")
    #expect(refused.status == 1 && refused.errorLines.count == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("several objects have the name"))
    let partial = try program.run("dump", "Notes.sqlite", "--partial")
    #expect(partial.status == 0 && partial.errors.contains("left out"))
  }

  @Test("a store that is not there, and a place that cannot be written, are one line")
  func badInput() throws {
    let program = try Program()
    try program.seed()
    for arguments in [
      ["dump", "Missing.sqlite"], ["dump", "Notes.sqlite", "--output", "no/such/folder.json"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    }
  }
}
