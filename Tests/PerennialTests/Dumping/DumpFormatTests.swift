import Foundation
import Testing

@Suite("Formats of perennial dump", .enabled(if: Program.url != nil, "the program is not built"))
struct DumpFormatTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  private func dump(_ arguments: String...) throws -> Program.Outcome {
    try program.run(["dump", "Notes.sqlite"] + arguments)
  }

  @Test(
    "the file's extension sets the format, and all formats load into equal stores",
    arguments: ["json", "jsonl", "yaml", "plist"]
  )
  func files(format: String) throws {
    let whole = try dump().output
    #expect(try dump("--output", "all.\(format)").status == 0)
    #expect(
      try program.run("seed", "Notes.xcdatamodeld", "all.\(format)", "--store", "Other.sqlite").status == 0
    )
    #expect(try program.run("dump", "Other.sqlite").output == whole)
    let printed = try dump("--format", format).output
    let file = program.folder.appendingPathComponent("all.\(format)")
    #expect(try String(contentsOf: file, encoding: .utf8) == printed)
  }

  @Test(
    "a folder gets a file for each entity, and is replaced by another dump alone",
    arguments: ["csv", "yaml"]
  )
  func folders(format: String) throws {
    let whole = try dump().output
    #expect(try dump("--output", "all/", "--format", format).status == 0)
    let names = try program.shell("ls -A all").output
    #expect(names == "Category.\(format)\nNote.\(format)\nTag.\(format)\n")
    #expect(try program.run("seed", "Notes.xcdatamodeld", "all", "--store", "Other.sqlite").status == 0)
    #expect(try program.run("dump", "Other.sqlite").output == whole)

    #expect(try dump("--output", "all", "--format", format, "--entity", "categories").status == 0)
    #expect(try program.shell("ls -A all").output == "Category.\(format)\n")
    try program.write("mine", to: "all/README")
    let refused = try dump("--output", "all", "--format", format)
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.errors.contains("the folder has README, which no dump of this store writes"))
    #expect(try program.shell("ls -A all").output == "Category.\(format)\nREADME\n")
  }

  @Test("chosen objects are dumped with everything that they refer to, or alone")
  func chosen() throws {
    let some = ["--entity", "notes", "--where", "category.name == 'Birds'"]
    try program.write(try program.run(["dump", "Notes.sqlite"] + some).output, to: "birds.json")
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "birds.json", "--store", "Birds.sqlite")
    #expect(seeded.output.hasPrefix("Category: 1 created\nNote: "), "\(seeded.output)\(seeded.errors)")

    let alone = try program.run(
      ["dump", "Notes.sqlite"] + some + ["--references", "keys", "-o", "alone.csv"]
    )
    #expect(
      alone.status == 1 && alone.errors.contains("has objects of Note; name it Note.csv"),
      "\(alone.errors)"
    )
    #expect(
      try program.run(["dump", "Notes.sqlite"] + some + ["--references", "keys", "-o", "notes.csv"]).status
        == 0
    )
    let again = try program.run("seed", "Notes.xcdatamodeld", "notes.csv", "--store", "Notes.sqlite")
    #expect(
      again.output.contains(" unchanged\n") && !again.output.contains("created"),
      "\(again.output)\(again.errors)"
    )

    let several = try dump(
      "--entity",
      "tags",
      "--where",
      "name BEGINSWITH 'S'",
      "--entity",
      "Category",
      "--where",
      "TRUEPREDICATE"
    )
    #expect(several.output.contains("\"Category\""), "\(several.errors)")
    // The dump includes the notes of the chosen tags, but not the other tags of these notes.
    let tags = several.output.split(separator: "\n").drop { !$0.contains("\"Tag\": [") }
      .filter { $0.contains("\"name\"") }
    #expect(tags.count == 2 && tags.allSatisfy { $0.contains("\"name\":\"S") }, "\(tags)")
  }

  @Test("options that exclude each other are one line, and nothing is written")
  func wrong() throws {
    for (arguments, line) in [
      (["--where", "title == 'A'"], "Give a --where for each --entity"),
      (["--entity", "note", "--object", "note", "A"], "Give --entity or --object, not both"),
      (["--references", "keys"], "choose with --entity"),
      (["--entity", "note", "--where", "title =="], "--where"),
      (["--entity", "note", "--where", "titel == 'A'"], "titel"),
      (["--entity", "nodes"], "the model has no entity that \"nodes\" could mean"),
      (["--format", "csv"], "a table has one entity, and the dump has 3"),
      (["--format", "yaml", "-o", "all.json"], "the name says .json, and --format yaml"),
      (["-o", "all.json.gz"], "a dump is not compressed"), (["-o", "tags.tsv"], "no tables with tabs"),
    ] {
      let outcome = try program.run(["dump", "Notes.sqlite"] + arguments)
      #expect(outcome.status != 0 && outcome.errors.contains(line), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try program.shell("ls").output.contains("all") == false)
  }

  @Test("a value that a format cannot express is an error with its object, or left out with --partial")
  func unsayable() throws {
    try program.execute("UPDATE ZTAG SET ZNAME = 'a|b' WHERE ZNAME = 'Spring'")
    let refused = try dump("--format", "csv", "--output", "all/")
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(
      refused.errors.contains("in a list of a table, the key \"a|b\" would be another"),
      "\(refused.errors)"
    )
    #expect(refused.errors.contains("Note \"A bumblebee queen") && refused.errors.contains("tags"))
    #expect(refused.errors.contains("another --format may, and --partial leaves it out"))
    #expect(!program.exists("all"))
    let partial = try dump("--format", "csv", "--output", "all/", "--partial")
    #expect(partial.status == 0 && partial.errors.contains("left out: Note \"A bumblebee queen"))
    #expect(program.exists("all/Note.csv"))
  }
}
