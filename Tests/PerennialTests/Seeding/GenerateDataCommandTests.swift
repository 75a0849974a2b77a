import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "perennial generate-data",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct GenerateDataCommandTests {
  private let plan = [
    "--count", "Note=50", "--count", "Tag=10", "--count", "Category=4", "--fan-out", "Note.tags=3",
  ]

  private func generate(_ program: Program, _ arguments: [String]) throws -> Program.Outcome {
    try program.run(["generate-data", "Notes.xcdatamodeld"] + plan + arguments)
  }

  @Test(
    "a seed file is written that seeds a store, the same again for the same seed",
    arguments: ["made.json", "made.jsonl"]
  )
  func file(name: String) throws {
    let program = try Program()
    let outcome = try generate(program, ["--seed", "42", "-o", name])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "Category: 4 made\nNote: 50 made\nTag: 10 made\n")
    let bytes = try Data(contentsOf: program.folder.appendingPathComponent(name))
    _ = try generate(program, ["--seed", "42", "-o", name, "--quiet"])
    #expect(try Data(contentsOf: program.folder.appendingPathComponent(name)) == bytes)
    let seeded = try program.run("seed", "Notes.xcdatamodeld", name, "--store", "Notes.sqlite")
    #expect(seeded.output == "Category: 4 created\nNote: 50 created\nTag: 10 created\n", "\(seeded.errors)")
  }

  @Test("a store is filled")
  func store() throws {
    let program = try Program()
    let outcome = try generate(program, ["--store", "Notes.sqlite", "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"Note\" : 50"))
    #expect(try program.counts() == [50, 10, 4])
  }

  @Test("the ledger of a store has made data by their number, once")
  func ledger() throws {
    let program = try Program()
    for _ in 0..<2 { _ = try generate(program, ["--seed", "42", "--store", "Notes.sqlite", "--quiet"]) }
    let summary = try program.run("inspect", "Notes.sqlite").output
    #expect(summary.split(separator: "\n").count { $0.contains("generated-42.jsonl ") } == 1, "\(summary)")
    #expect(summary.split(separator: "\n").count { $0.contains("Note 50") } == 1, "\(summary)")
  }

  @Test("a second run into one store reports that its objects exist")
  func again() throws {
    let program = try Program()
    _ = try generate(program, ["--store", "Notes.sqlite", "--quiet"])
    let second = try generate(program, ["--store", "Notes.sqlite"])
    #expect(second.status == 0, "\(second.errors)")
    #expect(
      second.output
        == "Category: 0 made, 4 in the store already\nNote: 0 made, 50 in the store already\nTag: 0 made, 10 in the store already\n"
    )
  }

  @Test("an entity that cannot be made is named, and the others are written and load")
  func partly() throws {
    let program = try Program()
    try program.write(
      """
      <model><entity name="Flag"><attribute name="name" attributeType="String"/>\
      <attribute name="colour" attributeType="Transformable" customClassName="Colour"/></entity>\
      <entity name="Song"><attribute name="name" attributeType="String"/></entity></model>
      """,
      to: "Mixed.xcdatamodel/contents"
    )
    let outcome = try program.run(
      ["generate-data", "Mixed.xcdatamodel", "--count", "Flag=3", "--count", "Song=3", "-o", "made.json"]
    )
    #expect(outcome.status == 1 && outcome.output == "Song: 3 made\n")
    #expect(outcome.errors.hasPrefix("Warning: left out: Flag.colour: "), "\(outcome.errors)")
    let seeded = try program.run("seed", "Mixed.xcdatamodel", "made.json", "--store", "Mixed.sqlite")
    #expect(seeded.output == "Song: 3 created\n", "\(seeded.errors)")
  }

  @Test("data that cannot be generated fail with one line")
  func failure() throws {
    let program = try Program()
    let outcome = try program.run(
      "generate-data",
      "Notes.xcdatamodeld",
      "--count",
      "Nota=5",
      "-o",
      "made.json"
    )
    #expect(outcome.status == 1)
    #expect(outcome.errors == "Error: Nota: the model has no such entity; name one of Category, Note, Tag\n")
    #expect(!program.exists("made.json"))
  }

  @Test(
    "wrong usage ends with status 64",
    arguments: [
      [], ["-o", "made.txt"], ["-o", "made.json", "--store", "Notes.sqlite"],
      ["-o", "a.json", "--count", "Note"],
      ["-o", "a.json", "--fan-out", "Note.tags=5-1"],
    ]
  )
  func usage(arguments: [String]) throws {
    #expect(try generate(try Program(), arguments).status == 64)
  }

  @Test("progress has the rate and the time left, after a bar if there is space")
  func progress() {
    let text = ProgressText(completed: 450_000, total: 1_000_000, noun: "records", elapsed: .seconds(5))
    #expect(text.line == "450,000 of 1,000,000 records, 45%, 90,000 a second, 7 s left")
    #expect(text.bar(width: 80).hasPrefix("[#######.........] 450,000"))
    #expect(text.bar(width: 80).count < 80)
    #expect(text.bar(width: 30) == "450,000 of 1,000,000 records,")
    let begun = ProgressText(completed: 0, total: 3, noun: "records", elapsed: .zero)
    #expect(begun.line == "0 of 3 records, 0%")
  }

  @Test("a progress that waits for others shows neither rate nor time left")
  func waiting() {
    let text = ProgressText(
      completed: 12,
      total: 24,
      noun: "bytes",
      elapsed: .seconds(5),
      phase: "waiting for other writers of the store",
      isWaiting: true
    )
    #expect(text.line == "waiting for other writers of the store: 12 of 24 bytes, 50%")
  }
}
