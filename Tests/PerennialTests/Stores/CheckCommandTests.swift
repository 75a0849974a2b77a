import Foundation
import Testing

@Suite("perennial check", .enabled(if: Program.url != nil, "the program is not built"))
struct CheckCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  @Test("perennial check finds nothing wrong with a seeded store, with and without the model file")
  func whole() throws {
    let outcome = try program.run("check", "Notes.sqlite", "--model", "Notes.xcdatamodeld")
    #expect(outcome.status == 0 && outcome.output == "nothing is wrong\n", "\(outcome.errors)")
    try FileManager.default.removeItem(at: program.folder.appendingPathComponent("Notes.xcdatamodeld"))
    #expect(try program.run("check", "Notes.sqlite").output == "nothing is wrong\n")
  }

  @Test("perennial check lists damage with the remedy, and with --repair can repair it after a copy")
  func repair() throws {
    try program.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'")
    let found = try program.run("check", "Notes.sqlite")
    #expect(found.status == 1)
    #expect(found.output.contains("primaryKeys: Z_PRIMARYKEY says that the last key of Note is 1"))
    #expect(found.output.contains("--repair can: set its Z_MAX to 36"))
    #expect(found.errorLines == ["Error: Notes.sqlite: 1 thing is wrong; --repair can repair 1 of them"])
    let mended = try program.run("check", "Notes.sqlite", "--repair")
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(mended.output.hasSuffix("nothing is wrong\n"))
    #expect(program.exists("Notes-unrepaired.sqlite"))
    #expect(try program.run("check", "Notes-unrepaired.sqlite").status == 1)
    #expect(try program.counts() == [36, 8, 6])
  }

  @Test("perennial check does not repair what needs a decision, and then makes no copy")
  func decision() throws {
    try program.execute("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1")
    let outcome = try program.run("check", "Notes.sqlite", "--repair")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("to do: give them one"))
    #expect(!program.exists("Notes-unrepaired.sqlite"))
  }

  @Test("notes names of join tables that were chosen here, and finds nothing wrong with them")
  func names() throws {
    try program.write(Program.peopleModel, to: "People.xcdatamodel/contents")
    let made = try program.run(
      "generate-data",
      "People.xcdatamodel",
      "--count",
      "Person=3",
      "--store",
      "p.sqlite"
    )
    #expect(made.status == 0, "\(made.errors)")
    let outcome = try program.run("check", "p.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("note: the name of the join table Z_1FOLLOWING of Person."))
    #expect(outcome.output.hasSuffix("\nnothing is wrong\n"))
  }

  @Test("a file that is not a store is reported in one line")
  func noStore() throws {
    try program.write("a letter", to: "letter.txt")
    for name in ["letter.txt", "missing.sqlite"] {
      let outcome = try program.run("check", name)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1 && outcome.errors.contains(name))
    }
  }
}
