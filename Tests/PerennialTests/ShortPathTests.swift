import Foundation
import Testing

@Suite("Paths of one character", .enabled(if: Program.url != nil, "the program is not built"))
struct ShortPathTests {
  private let program: Program

  init() throws {
    program = try Program()
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "d")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("a path of one character can name a store to check and repair")
  func check() throws {
    for arguments in [["check", "d"], ["check", "d", "--repair"], ["check", "d", "--copy", "k"]] {
      let outcome = try program.run(arguments)
      #expect(
        outcome.status == 0 && outcome.output == "nothing is wrong\n",
        "\(arguments): \(outcome.errors)"
      )
    }
  }

  @Test(
    "a path of one character can name what each kind of command reads and writes",
    arguments: [
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "d", "--always", "--compact"],
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "n", "--dry-run"],
      ["seed", "diff", "d", "seed.json"],
      ["generate-data", "Notes.xcdatamodeld", "--count", "Tag=1", "--store", "n"],
      ["build-store", "Notes.xcdatamodeld", "seed.json", "-o", "n"],
      ["fetch", "d", "Tag"], ["inspect", "d"], ["hashes", "d"],
      ["dump", "d"], ["dump", "d", "-o", "n", "--format", "json"],
      ["dump", "d", "-o", "n/", "--format", "csv"],
      ["copy", "d", "n"], ["copy", "d", "n", "--type", "xml"],
      ["migrate", "d", "--to", "Notes.xcdatamodeld"],
      ["migrate", "d", "--to", "Notes.xcdatamodeld", "--backup"],
      ["decompile", "d", "-o", "Made.xcdatamodeld"],
      ["schema", "Notes.xcdatamodeld", "-o", "n"],
      ["generate", "Notes.xcdatamodeld", "-o", "n"],
      ["port", "p"],
    ]
  )
  func commands(_ arguments: [String]) throws {
    try program.write("class A {}\n", to: "p/A.swift")
    let outcome = try program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("a path of one character can name a store to migrate")
  func migrate() throws {
    try program.write(
      #"<model><entity name="Note"><attribute name="title" attributeType="String"/></entity></model>"#,
      to: "N.xcdatamodel/contents"
    )
    let outcome = try program.run(["migrate", "d", "--to", "N.xcdatamodel"] + Program.dropping)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("d is migrated\n"))
  }

  @Test(
    "a missing path of one character is an error that names it",
    arguments: [
      ["check", "x"], ["fetch", "x", "Tag"], ["inspect", "x"], ["dump", "x"], ["copy", "x", "n"],
      ["hashes", "x"],
      ["migrate", "x", "--to", "Notes.xcdatamodeld"], ["migrate", "d", "--to", "x"],
      ["seed", "x", "seed.json", "--store", "d"], ["seed", "Notes.xcdatamodeld", "x", "--store", "d"],
      ["seed", "diff", "x", "seed.json"], ["build-store", "x", "seed.json", "-o", "n"],
      ["generate-data", "x", "--count", "Tag=1", "--store", "n"], ["schema", "x"],
      ["generate", "x", "-o", "n"],
      ["decompile", "x", "-o", "Made.xcdatamodeld"], ["diff", "x", "Notes.xcdatamodeld"], ["port", "x"],
    ]
  )
  func missing(_ arguments: [String]) throws {
    let outcome = try program.run(arguments)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(/[ \/]x[:;]/), "\(outcome.errors)")
  }
}
