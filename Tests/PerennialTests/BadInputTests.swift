import Foundation
import Testing

/// Each bad input ends with status 1 and one clear line, and leaves the store unchanged.
@Suite("Bad inputs", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct BadInputTests {
  /// Runs a command that must fail with one line that contains the given parts.
  private func expectFailure(
    _ outcome: Program.Outcome,
    _ parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 1, sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    for part in parts {
      #expect(outcome.errors.contains(part), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
  }

  @Test(
    "a bad seed names file, entity, record and key, and makes no store",
    arguments: [
      ("{\"tags\": [\n  {\"name\": \"News\",}]}", "bad.json:2:19: the JSON is broken"),
      ("{\"colours\": [{\"name\": \"red\"}]}", "bad.json:1: colours: the model has no entity"),
      (
        "{\"tags\": [{\"colour\": \"red\"}]}", "bad.json:1: Tag record 1, key \"colour\": Tag has no property"
      ),
      (
        "{\"tags\": [{\"name\": 1}]}",
        "bad.json:1: Tag record 1, key \"name\": the number 1 is not a value for a String"
      ),
      (
        "{\"notes\": [{\"title\": \"A\", \"category\": \"X\"}]}",
        "bad.json:1: Note record 1, key \"category\": there is no Category with the name \"X\""
      ),
      (
        "{\"notes\": [{\"contents\": \"A\"}]}",
        "bad.json:1: Note record 1, key \"title\": the required value is missing"
      ),
    ]
  )
  func seeds(json: String, line: String) throws {
    let program = try Program()
    try program.write(json, to: "bad.json")
    expectFailure(try program.run("seed", "Notes.xcdatamodeld", "bad.json", "--store", "New.sqlite"), line)
    for suffix in ["", "-wal", "-shm"] { #expect(!program.exists("New.sqlite\(suffix)")) }

    try program.seed()
    expectFailure(try program.run("seed", "Notes.xcdatamodeld", "bad.json", "--store", "Notes.sqlite"), line)
    #expect(try program.counts() == [36, 8, 6])
    let again = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite")
    #expect(again.output.contains("Note: 36 skipped"))
  }

  @Test("a seed or a model that is missing is named")
  func missingFiles() throws {
    let program = try Program()
    expectFailure(
      try program.run("seed", "Notes.xcdatamodeld", "none.json", "--store", "Notes.sqlite"),
      "none.json: there is no such file"
    )
    expectFailure(
      try program.run("seed", "None.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"),
      "None.xcdatamodeld: there is no such model"
    )
    expectFailure(
      try program.run("seed", "seed.json", "seed.json", "--store", "Notes.sqlite"),
      "seed.json: this is not a model"
    )
    try program.write("omo", to: "Notes.omo")
    expectFailure(
      try program.run("seed", "Notes.omo", "seed.json", "--store", "Notes.sqlite"),
      "Notes.omo: this is an optimized copy of a compiled model, which only Apple's framework reads; give the Notes.mom"
    )
    #expect(!program.exists("Notes.sqlite"))
  }

  @Test("an unreadable model's error says where it is broken")
  func brokenModel() throws {
    let program = try Program()
    try program.write("<model><entity name=\"Note\"", to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    expectFailure(
      try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"),
      "Notes.xcdatamodel/contents"
    )
  }

  @Test("a file that is not a database stays unchanged")
  func noDatabase() throws {
    let program = try Program()
    let text = String(repeating: "this is not a database\n", count: 100)
    try program.write(text, to: "Notes.sqlite")
    for outcome in [
      try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"),
      try program.run("fetch", "Notes.sqlite", "Note", "--model", "Notes.xcdatamodeld"),
      try program.run("inspect", "Notes.sqlite"),
    ] {
      expectFailure(outcome, "Notes.sqlite")
    }
    let after = try String(contentsOf: program.folder.appendingPathComponent("Notes.sqlite"), encoding: .utf8)
    #expect(after == text)
  }

  @Test("a store that is missing, or is a folder, is named")
  func missingStore() throws {
    let program = try Program()
    expectFailure(try program.run("inspect", "None.sqlite"), "None.sqlite: there is no such store")
    expectFailure(try program.run("fetch", "None.sqlite", "Note"), "None.sqlite: there is no such store")
    #expect(!program.exists("None.sqlite"))
    expectFailure(try program.run("inspect", "Notes.xcdatamodeld"), "this is a folder")
    expectFailure(
      try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "none/Notes.sqlite"),
      "none/Notes.sqlite: there is no folder"
    )
  }

  @Test("a read-only folder is named", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnlyFolder() throws {
    let program = try Program()
    let folder = program.folder.appendingPathComponent("closed").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    expectFailure(
      try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "closed/Notes.sqlite"),
      "closed/Notes.sqlite: the store or its folder is read-only"
    )
  }

  @Test("a store of another model is refused and left as it was")
  func otherModel() throws {
    let program = try Program()
    try program.seed()
    let contents = program.folder.appendingPathComponent("Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    let original = try String(contentsOf: contents, encoding: .utf8)
    let other = original.replacingOccurrences(of: "name=\"colorAsHex\"", with: "name=\"color\"")
    try Data(other.utf8).write(to: contents)

    let line = "Notes.sqlite: the store was made with another model"
    expectFailure(
      try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"),
      line,
      "perennial migrate"
    )
    expectFailure(try program.run("fetch", "Notes.sqlite", "Note", "--model", "Notes.xcdatamodeld"), line)
    expectFailure(try program.run("dump", "Notes.sqlite", "--model", "Notes.xcdatamodeld"), line)

    try Data(original.utf8).write(to: contents)
    #expect(try program.counts() == [36, 8, 6])
  }

  @Test(
    "a word that is not a command gets the command that was meant",
    arguments: [
      ("sed", "write perennial seed."), ("fetsh", "write perennial fetch."),
      ("version", "perennial --version"),
      ("completion", "perennial --generate-completion-script bash"),
    ]
  )
  func command(word: String, meant: String) throws {
    let outcome = try Program().run(word)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("There is no command '\(word)'") && outcome.errors.contains(meant),
      "\(outcome.errors)"
    )
  }

  @Test("an invalid predicate's error has the position")
  func predicate() throws {
    let program = try Program()
    try program.seed()
    expectFailure(
      try program.run("fetch", "Notes.sqlite", "Note", "--where", "title == "),
      "--where",
      "position 10"
    )
    expectFailure(
      try program.run("fetch", "Notes.sqlite", "Note", "--where", "titel == 'A'"),
      "titel"
    )
  }

  @Test("an unknown entity, column or sort key is named, with a suggestion")
  func names() throws {
    let program = try Program()
    try program.seed()
    expectFailure(try program.run("fetch", "Notes.sqlite", "Colour"), "\"Colour\"", "Category, Note, Tag")
    expectFailure(
      try program.run("fetch", "Notes.sqlite", "Note", "--sort", "titel"),
      "correct the key to \"title\""
    )
    expectFailure(
      try program.run("fetch", "Notes.sqlite", "Note", "--columns", "category.nam"),
      "correct the key to \"name\""
    )
    expectFailure(
      try program.run("fetch", "Notes.sqlite", "Note", "--columns", "title.length"),
      "is an attribute"
    )
  }
}
