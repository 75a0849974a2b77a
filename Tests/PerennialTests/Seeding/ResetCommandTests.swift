import Foundation
import SQLiteDriver
import Testing

@Suite("perennial reset", .enabled(if: Program.url != nil, "the program is not built"))
struct ResetCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
    try program.write("{\"tags\": [{\"name\": \"Moss\"}]}", to: "tags.json")
  }

  @Test("perennial reset destroys the store, creates it again and seeds it, each time")
  func resets() throws {
    for _ in 0..<2 {
      let outcome = try program.run("reset", "Notes.sqlite", "tags.json")
      #expect(outcome.status == 0 && outcome.output == "Tag: 1 created\n", "\(outcome.errors)")
    }
    #expect(try program.run("fetch", "Notes.sqlite", "Note", "--count").output == "0\n")
    #expect(try program.run("fetch", "Notes.sqlite", "Tag", "--count").output == "1\n")
    #expect(try program.run("check", "Notes.sqlite").output == "nothing is wrong\n")
  }

  @Test("perennial reset without seeds leaves an empty store")
  func empties() throws {
    let outcome = try program.run("reset", "Notes.sqlite")
    #expect(outcome.status == 0 && outcome.output == "Notes.sqlite: empty\n", "\(outcome.errors)")
    #expect(try program.run("fetch", "Notes.sqlite", "Tag", "--count").output == "0\n")
  }

  @Test("perennial reset accepts another model than the store's")
  func otherModel() throws {
    try program.write(
      #"<model><entity name="Plant"><attribute name="name" attributeType="String"/></entity></model>"#,
      to: "Garden.xcdatamodel/contents"
    )
    try program.write("{\"plants\": [{\"name\": \"Moss\"}]}", to: "plants.json")
    let outcome = try program.run("reset", "Notes.sqlite", "plants.json", "--model", "Garden.xcdatamodel")
    #expect(outcome.status == 0 && outcome.output == "Plant: 1 created\n", "\(outcome.errors)")
  }

  @Test("perennial reset with an invalid or missing seed leaves the store unchanged")
  func wrongSeed() throws {
    let before = try program.run("dump", "Notes.sqlite").output
    try program.write("{\"tags\": [{\"nam\": \"Moss\"}]}", to: "wrong.json")
    for seed in ["wrong.json", "missing.json"] {
      let outcome = try program.run("reset", "Notes.sqlite", seed)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1 && outcome.errors.contains(seed))
    }
    #expect(try program.run("dump", "Notes.sqlite").output == before)
  }

  @Test("perennial reset is refused while another program has the store open, unless it is forced")
  func inUse() throws {
    let before = try program.run("dump", "Notes.sqlite").output
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let path = program.folder.appendingPathComponent("Notes.sqlite").path
    let other = try SQLiteConnection(path: path, configuration: configuration)
    try other.use {
      try $0.execute(sql: "BEGIN IMMEDIATE")
      try $0.execute(sql: "ROLLBACK")
    }
    let refused = try program.run("reset", "Notes.sqlite", "tags.json")
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.errors.contains("another program has the store open"), "\(refused.errors)")
    #expect(try program.run("dump", "Notes.sqlite").output == before)
    let forced = try program.run("reset", "Notes.sqlite", "tags.json", "--force")
    #expect(forced.status == 0 && forced.output == "Tag: 1 created\n", "\(forced.errors)")
    try other.close()
    #expect(try program.run("fetch", "Notes.sqlite", "Tag", "--count").output == "1\n")
  }

  @Test("perennial reset of a file that is not a store fails with one line, and changes nothing")
  func noStore() throws {
    for path in ["missing.sqlite", "tags.json"] {
      let outcome = try program.run("reset", path, "tags.json", "--model", "Notes.xcdatamodeld")
      #expect(
        outcome.status == 1 && outcome.errorLines.count == 1 && outcome.errors.contains(path),
        "\(outcome.errors)"
      )
    }
    #expect(!program.exists("missing.sqlite"))
    #expect(try program.run("seed", "Notes.xcdatamodeld", "tags.json", "--store", "Notes.sqlite").status == 0)
    let outcome = try program.run("reset", "Notes.sqlite", "https://example.com/seed.json")
    #expect(outcome.status == 64 && outcome.errors.contains("give a file"))
  }
}
