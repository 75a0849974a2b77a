import Foundation
import Testing

@Suite(
  "perennial compile, decompile, hashes and diff",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct ModelCommandsTests {
  @Test("a model compiled and decompiled has the same hashes and no differences")
  func thereAndBack() throws {
    let program = try Program()
    let compiled = try program.run("compile", "Notes.xcdatamodeld", "-o", "Notes.momd")
    #expect(compiled.status == 0, "\(compiled.errors)")
    #expect(compiled.output == "Notes.momd: Notes; current: Notes\n")
    let decompiled = try program.run("decompile", "Notes.momd", "-o", "Again.xcdatamodeld")
    #expect(decompiled.status == 0, "\(decompiled.errors)")
    #expect(decompiled.errors.isEmpty)
    let hashes = try ["Notes.xcdatamodeld", "Notes.momd", "Again.xcdatamodeld"].map {
      try program.run("hashes", $0).output
    }
    #expect(hashes[0].contains(/Note +[A-Za-z0-9+\/]{43}=/))
    #expect(hashes[0].contains(/digest +[A-Za-z0-9+\/]{86}==/))
    #expect(hashes[1] == hashes[0])
    #expect(hashes[2] == hashes[0])
    let difference = try program.run("diff", "Notes.momd", "Again.xcdatamodeld")
    #expect(difference.output == "The models are the same.\n")
  }

  @Test("a package that names no current version is decompiled without one, and compiles to the same bytes")
  func unnamedCurrentVersion() throws {
    let program = try Program()
    let files = program.folder
    try FileManager.default.removeItem(
      at: files.appendingPathComponent("Notes.xcdatamodeld/.xccurrentversion")
    )
    for arguments in [
      ["compile", "Notes.xcdatamodeld", "-o", "Notes.momd"],
      ["decompile", "Notes.momd", "-o", "Again.xcdatamodeld"],
      ["compile", "Again.xcdatamodeld", "-o", "Again.momd"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(!program.exists("Again.xcdatamodeld/.xccurrentversion"))
    for file in ["Notes.mom", "VersionInfo.plist"] {
      let (first, second) = try (
        Data(contentsOf: files.appendingPathComponent("Notes.momd/\(file)")),
        Data(contentsOf: files.appendingPathComponent("Again.momd/\(file)"))
      )
      #expect(first == second, "\(file)")
    }
  }

  @Test("compiling twice gives equal bytes, and replaces the earlier output")
  func twice() throws {
    let program = try Program()
    let file = program.folder.appendingPathComponent("Notes.momd/Notes.mom")
    let info = program.folder.appendingPathComponent("Notes.momd/VersionInfo.plist")
    _ = try program.run("compile", "Notes.xcdatamodeld", "-o", "Notes.momd")
    let first = (try Data(contentsOf: file), try Data(contentsOf: info))
    try program.write("", to: "Notes.momd/Older.mom")
    let outcome = try program.run("compile", "Notes.xcdatamodeld", "-o", "Notes.momd")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Data(contentsOf: file) == first.0)
    #expect(try Data(contentsOf: info) == first.1)
    #expect(!program.exists("Notes.momd/Older.mom"))
  }

  @Test("a store is seeded and read with a compiled model, and has its hashes")
  func compiledModelIsUsed() throws {
    let program = try Program()
    _ = try program.run("compile", "Notes.xcdatamodeld", "-o", "Compiled.momd")
    let seeded = try program.run("seed", "Compiled.momd", "seed.json", "--store", "Notes.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let model = try program.run("hashes", "Compiled.momd")
    let store = try program.run("hashes", "Notes.sqlite")
    #expect(store.status == 0, "\(store.errors)")
    #expect(model.output == store.output)
  }

  @Test("perennial diff shows for each change whether a lightweight migration supports it")
  func difference() throws {
    let program = try Program()
    try write(
      """
      <entity name="Note"><attribute name="title" attributeType="String" optional="YES"/></entity>
      """,
      to: "A",
      in: program
    )
    try write(
      """
      <entity name="Page" elementID="Note"><attribute name="title" attributeType="String" optional="YES"/>\
      <attribute name="rank" attributeType="Integer 16" defaultValueString="0"/></entity>
      """,
      to: "B",
      in: program
    )
    try write(
      """
      <entity name="Note"><attribute name="title" attributeType="Date"/></entity>
      """,
      to: "C",
      in: program
    )
    let light = try program.run("diff", "A.xcdatamodel", "B.xcdatamodel")
    #expect(light.status == 0, "\(light.errors)")
    #expect(
      light.output == """
          entity Page: renamed from Note
          entity Page, attribute rank: added

        A lightweight migration can do it.

        """
    )
    let heavy = try program.run("diff", "A.xcdatamodel", "C.xcdatamodel")
    #expect(heavy.output.contains("! entity Note, attribute title: attributeType: String -> Date ("))
    #expect(heavy.output.contains("? entity Note, attribute title: optional: YES -> none ("))
    #expect(heavy.output.hasSuffix("cannot do it: 1 of the changes stands in its way.\n"))
  }

  private func write(_ entities: String, to name: String, in program: Program) throws {
    let folder = program.folder.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
  }

  @Test(
    "an impossible command ends with 1 and one line that names the file",
    arguments: [
      (["compile", "None.xcdatamodeld", "-o", "A.momd"], "None.xcdatamodeld"),
      (["decompile", "None.momd", "-o", "A.xcdatamodeld"], "None.momd"),
      (["decompile", "none.sqlite", "-o", "A.xcdatamodeld"], "none.sqlite"),
      (["decompile", "seed.json", "-o", "A.xcdatamodeld"], "seed.json"),
      (["compile", "Notes.xcdatamodeld", "-o", "Full.momd"], "Full.momd"),
      (["hashes", "None.momd"], "None.momd"),
      (["hashes", "seed.json"], "seed.json"),
      (["diff", "Notes.xcdatamodeld", "None.momd"], "None.momd"),
      (["diff", "Notes.xcdatamodeld", "seed.json"], "seed.json"),
    ]
  )
  func failures(arguments: [String], file: String) throws {
    let program = try Program()
    let full = program.folder.appendingPathComponent("Full.momd")
    try FileManager.default.createDirectory(at: full, withIntermediateDirectories: true)
    try program.write("mine", to: "Full.momd/letter.txt")
    let outcome = try program.run(arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(file))
    #expect(program.exists("Full.momd/letter.txt"))
  }

  @Test(
    "wrong usage ends with 64",
    arguments: [
      ["compile", "Notes.xcdatamodeld"], ["compile", "Notes.momd", "-o", "A.momd"],
      ["compile", "Notes.xcdatamodeld", "-o", "A"], ["decompile", "A.momd", "-o", "B"], ["hashes"],
      ["decompile", "Notes.xcdatamodeld", "-o", "B.xcdatamodeld"],
      ["diff", "A"],
    ]
  )
  func usage(arguments: [String]) throws {
    #expect(try Program().run(arguments).status == 64)
  }
}
