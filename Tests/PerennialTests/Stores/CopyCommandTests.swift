import Foundation
import Testing

@Suite("perennial copy", .enabled(if: Program.url != nil, "the program is not built"))
struct CopyCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  @Test("perennial copy converts between types without a loss", arguments: ["xml", "binary", "sqlite"])
  func types(_ type: String) throws {
    let there = try program.run("copy", "Notes.sqlite", "there.\(type)")
    #expect(there.status == 0, "\(there.errors)")
    let back = try program.run("copy", "there.\(type)", "back", "--type", "sqlite")
    #expect(back.status == 0, "\(back.errors)")
    let dump = try program.run("dump", "Notes.sqlite").output
    #expect(dump.count > 1000)
    #expect(try program.run("dump", "there.\(type)").output == dump)
    #expect(try program.run("dump", "back").output == dump)
    #expect(try program.run("check", "back").output == "nothing is wrong\n")
    #expect(try program.run("inspect", "there.\(type)").output.contains(/Note +36/))
    // The copy keeps the record of imported seeds, so that a seed is not imported twice.
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "back")
    #expect(seeded.status == 0, "\(seeded.errors)")
    #expect(try program.run("dump", "back").output == dump)
  }

  @Test("a place that is taken is left alone, and a store that is not there is one line")
  func badInput() throws {
    try program.write("here", to: "taken.sqlite")
    for (arguments, word) in [
      (["copy", "Notes.sqlite", "taken.sqlite"], "taken.sqlite"),
      (["copy", "missing.sqlite", "new.sqlite"], "missing.sqlite"),
      (["copy", "Notes.sqlite", "no/folder/new.xml"], "no/folder"),
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(word))
    }
    let text = try String(contentsOf: program.folder.appendingPathComponent("taken.sqlite"), encoding: .utf8)
    #expect(text == "here")
    #expect(!program.exists("new.sqlite"))
  }
}
