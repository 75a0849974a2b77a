import Foundation
import Testing

@Suite("perennial seed", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct SeedCommandTests {
  @Test("a seed makes a store, and a second run inserts nothing")
  func twice() throws {
    let program = try Program()
    let first = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite")
    #expect(first.status == 0)
    #expect(first.output == "Category: 6 created\nNote: 36 created\nTag: 8 created\n")
    #expect(first.errors == "")

    let second = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite")
    #expect(second.status == 0)
    #expect(
      second.output
        == "seed.json is in the store already; --always takes it in again\nCategory: 6 skipped\nNote: 36 skipped\nTag: 8 skipped\n"
    )
    #expect(try program.counts() == [36, 8, 6])
  }

  @Test("--always imports the records again and updates differences")
  func always() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "seed",
      "Notes.xcdatamodeld",
      "seed.json",
      "--store",
      "Notes.sqlite",
      "--always"
    )
    #expect(outcome.output == "Category: 6 unchanged\nNote: 36 unchanged\nTag: 8 unchanged\n")
  }

  @Test("several seeds go in together")
  func several() throws {
    let program = try Program()
    try program.write("{\"notes\": [{\"title\": \"A\", \"tags\": [\"X\"]}]}", to: "notes.json")
    try program.write("{\"tags\": [{\"name\": \"X\"}]}", to: "tags.json")
    let outcome = try program.run(
      "seed",
      "Notes.xcdatamodeld/Notes.xcdatamodel",
      "notes.json",
      "tags.json",
      "--store",
      "Notes.sqlite"
    )
    #expect(outcome.output == "Note: 1 created\nTag: 1 created\n")
  }

  @Test(
    "a bad seed fails with one line, creates no store and leaves an existing one unchanged",
    arguments: [
      (
        "tags.csv", "name\n\"A\n",
        "tags.csv:2: a double quote has no other that closes it; close it, or put the whole field into double quotes, and "
          + "double those within it"
      ),
      (
        "a.json", "{\"tags\": [{\"name\": 5}]}",
        "a.json:1: Tag record 1, key \"name\": the number 5 is not a value for a String; give a string"
      ),
      (
        "a.json", "{\"notes\": [{\"title\": \"A\", \"tags\": [{\"$ref\": \"x\"}]}]}",
        "a.json:1: Note record 1, key \"tags\": no record of this run has the label \"x\"; correct it, or write "
          + "\"$id\": \"x\" in the record that is meant"
      ),
      (
        "a.json", "{\"tags\": [{\"name\": \"A\"}, {}]}",
        "a.json:1: Tag record 2, key \"name\": the required value is missing; give one, or make it optional or give it "
          + "a default in the model"
      ),
    ]
  )
  func badSeeds(name: String, text: String, line: String) throws {
    let program = try Program()
    try program.write(text, to: name)
    let outcome = try program.run("seed", "Notes.xcdatamodeld", name, "--store", "New.sqlite")
    #expect(outcome.status == 1 && outcome.errorLines == ["Error: \(line)"], "\(outcome.errors)")
    #expect(!program.exists("New.sqlite"))
    try program.seed()
    let before = try program.run("dump", "Notes.sqlite").output
    #expect(try program.run("seed", "Notes.xcdatamodeld", name, "--store", "Notes.sqlite").status == 1)
    #expect(try program.run("dump", "Notes.sqlite").output == before)
  }

  @Test("--keep-going imports all valid records, names each invalid one, and ends with status 1")
  func keepGoing() throws {
    let program = try Program()
    try program.write("{\"tags\": [{\"name\": \"A\"}, {\"nam\": \"B\"}]}", to: "tags.json")
    let arguments = ["seed", "Notes.xcdatamodeld", "tags.json", "--store", "Notes.sqlite", "--keep-going"]
    let outcome = try program.run(arguments)
    #expect(outcome.status == 1 && outcome.output == "Tag: 1 created, 1 failed\n")
    let line =
      "Error: tags.json:1: Tag record 2, key \"nam\": Tag has no property of this name; correct the key to \"name\""
    #expect(outcome.errorLines == [line])
    let json = try program.run(arguments + ["--always", "--json"])
    #expect(json.status == 1 && json.output.contains("\"failed\"") && json.output.contains("\"failures\""))
    #expect(try program.run(arguments + ["--profile", "sync"]).status == 64)
  }

  @Test(
    "wrong usage ends with status 64",
    arguments: [
      ["seed"], ["seed", "Notes.xcdatamodeld"], ["seed", "Notes.xcdatamodeld", "seed.json"],
      ["seed", "Notes.xcdatamodeld", "--store", "Notes.sqlite"], ["plant"], ["fetch", "Notes.sqlite"],
      ["fetch", "Notes.sqlite", "Note", "--limit", "0"], ["fetch", "Notes.sqlite", "Note", "--sort", "a:up"],
      ["fetch", "Notes.sqlite", "Note", "--format", "xml"], ["inspect"], ["--colour"],
    ]
  )
  func usage(arguments: [String]) throws {
    let program = try Program()
    let process = Process()
    process.executableURL = Program.url
    process.arguments = arguments
    process.currentDirectoryURL = program.folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(!program.exists("Notes.sqlite"))
  }
}
