import Foundation
import Testing

@Suite("perennial dump", .enabled(if: Program.url != nil, "the program is not built"))
struct DumpCommandTests {
  @Test("perennial dump writes a seed that loads into an equal store, which dumps as the same text")
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

  @Test("perennial dump changes nothing in the store, and writes the same text each time")
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

  @Test("objects that no natural key distinguishes get labels, which the header declares")
  func labels() throws {
    let program = try Program()
    try program.seed()
    try program.execute("UPDATE ZTAG SET ZNAME = 'Same' WHERE Z_PK < 4")
    try program.execute("UPDATE ZNOTE SET ZTITLE = 'Same' WHERE Z_PK < 4")
    let dumped = try program.run("dump", "Notes.sqlite", "--output", "dump.json")
    #expect(dumped.status == 0, "\(dumped.errors)")
    let text = try String(contentsOf: program.folder.appendingPathComponent("dump.json"), encoding: .utf8)
    #expect(text.contains("  \"$keys\": {\"Note\":[],\"Tag\":[]},"))
    #expect(text.contains("{\"$id\":\"Tag-") && text.contains("{\"$ref\":\"Tag-"))
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "dump.json", "--store", "Other.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    #expect(try program.run("dump", "Other.sqlite").output == text)
  }

  @Test("a store without a model is refused, and written with --partial and a warning")
  func modelless() throws {
    let program = try Program()
    try program.seed()
    try program.forgetModel()
    try FileManager.default.removeItem(at: program.folder.appendingPathComponent("Notes.xcdatamodeld"))
    let refused = try program.run("dump", "Notes.sqlite", "--output", "dump.json")
    #expect(refused.status == 1 && !program.exists("dump.json"))
    #expect(
      refused.errors
        == "Error: Notes.sqlite: there is no model of this store in its folder or in it; give one with --model\n"
    )
    let partial = try program.run("dump", "Notes.sqlite", "--partial")
    #expect(partial.status == 0 && partial.output.contains("\"title\""))
    #expect(partial.errors.contains("to-one relationships are the numbers of rows"))
  }

  private static let pairModel = """
    <model><entity name="Note"><attribute name="name" optional="YES" attributeType="String"/>\
    <relationship name="state" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="State" \
    inverseName="note" inverseEntity="State"/></entity>\
    <entity name="State"><attribute name="name" optional="YES" attributeType="String"/>\
    <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Note" \
    inverseName="state" inverseEntity="Note"/></entity></model>
    """

  @Test(
    "a one-to-one link is written whichever side of it the store has",
    arguments: ["", "UPDATE ZNOTE SET ZSTATE = NULL", "UPDATE ZSTATE SET ZNOTE = NULL"]
  )
  func linkOfOneSide(change: String) throws {
    let program = try Program()
    try program.write(Self.pairModel, to: "Pairs.xcdatamodel/contents")
    try program.write("{\"notes\": [{\"name\": \"n\", \"state\": {\"name\": \"s\"}}]}", to: "pairs.json")
    let seeded = try program.run("seed", "Pairs.xcdatamodel", "pairs.json", "--store", "Notes.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let whole = try program.run("dump", "Notes.sqlite").output
    if !change.isEmpty { try program.execute(change) }
    let dumped = try program.run("dump", "Notes.sqlite", "--output", "dump.json")
    #expect(dumped.status == 0, "\(dumped.errors)")
    let again = try program.run("seed", "Pairs.xcdatamodel", "dump.json", "--store", "Again.sqlite")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try program.run("dump", "Again.sqlite").output == whole)
    #expect(whole.contains("\"note\":") || whole.contains("\"state\":"))
  }

  @Test("one-to-one links whose sides contradict each other are an error, or told with --partial")
  func contradiction() throws {
    let program = try Program()
    try program.write(Self.pairModel, to: "Pairs.xcdatamodel/contents")
    let notes = ["a", "b"].map { "{\"name\": \"\($0)\", \"state\": {\"name\": \"\($0)\"}}" }.joined(
      separator: ","
    )
    try program.write("{\"notes\": [\(notes)]}", to: "pairs.json")
    let seeded = try program.run("seed", "Pairs.xcdatamodel", "pairs.json", "--store", "Notes.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    try program.execute("UPDATE ZNOTE SET ZSTATE = 3 - ZSTATE")
    let dumped = try program.run("dump", "Notes.sqlite")
    #expect(dumped.status == 1 && dumped.output.isEmpty)
    #expect(dumped.errors.contains("which leads to another object"))
    let partial = try program.run("dump", "Notes.sqlite", "--partial")
    #expect(partial.status == 0)
    #expect(partial.errorLines.count == 2, "\(partial.errors)")
  }

  @Test("a label stays as it is when another object changes")
  func stableLabels() throws {
    let program = try Program()
    try program.seed()
    try program.execute("UPDATE ZTAG SET ZNAME = 'Same' WHERE Z_PK < 3")
    try program.execute("UPDATE ZNOTE SET ZTITLE = 'Same' WHERE Z_PK < 3")
    let before = try program.run("dump", "Notes.sqlite").output.split(separator: "\n")
    try program.execute("UPDATE ZCATEGORY SET ZCOLORASHEX = '123456' WHERE Z_PK = 1")
    let after = try program.run("dump", "Notes.sqlite").output.split(separator: "\n")
    #expect(after.difference(from: before).count == 2)
  }

  @Test("perennial dump of one object writes it and its references, and nothing else")
  func oneObject() throws {
    let program = try Program()
    try program.seed()
    let dumped = try program.run("dump", "Notes.sqlite", "--object", "note", "Old man's beard")
    #expect(dumped.status == 0, "\(dumped.errors)")
    try program.write(dumped.output, to: "one.json")
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "one.json", "--store", "One.sqlite")
    #expect(seeded.output == "Category: 1 created\nNote: 1 created\nTag: 3 created\n")
    for (arguments, line) in [
      (["note", "Nothing"], "there is no Note with the title Nothing"),
      (["note", "a", "b"], "the natural key of Note is its title; give 1 values for it"),
      (["colour", "a"], "the model has no entity that \"colour\" could mean"),
    ] {
      let outcome = try program.run(["dump", "Notes.sqlite", "--object"] + arguments)
      #expect(outcome.status == 1 && outcome.errors.contains(line), "\(outcome.errors)")
    }
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
