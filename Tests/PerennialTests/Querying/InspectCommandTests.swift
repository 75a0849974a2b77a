import Foundation
import Testing

@Suite("perennial inspect", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct InspectCommandTests {
  @Test("entities, counts, seeds and metadata are shown with the model")
  func withModel() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run("inspect", "Notes.sqlite", "--model", "Notes.xcdatamodeld")
    #expect(outcome.status == 0)
    for pattern in [
      /store +Notes.sqlite/, /type +SQLite/, /identity +[0-9A-F-]{36}/, /model +Notes.xcdatamodeld/,
      /Category +6  [0-9a-f]{16}/, /Note +36  [0-9a-f]{16}/, /Tag +8  [0-9a-f]{16}/,
      /seed.json  20[0-9-]+T[0-9:]+Z  [0-9a-f]{16}\.\.\.  Category 6, Note 36, Tag 8/,
    ] {
      #expect(outcome.output.contains(pattern), "\(outcome.output)")
    }
  }

  @Test("perennial inspect without a model file reads the store with the model in it")
  func modelInStore() throws {
    let program = try Program()
    try program.seed()
    try FileManager.default.removeItem(at: program.folder.appendingPathComponent("Notes.xcdatamodeld"))
    let inspected = try program.run("inspect", "Notes.sqlite")
    #expect(inspected.output.contains(/model +in the store/))
    #expect(inspected.output.contains(/Note +36  [0-9a-f]{16}/))
    let fetched = try program.run("fetch", "Notes.sqlite", "Note", "--where", "category.name == \"Swift\"")
    #expect(fetched.status == 0, "\(fetched.errors)")
  }

  @Test("a store whose model is nowhere is looked into by its tables alone")
  func withoutModel() throws {
    let program = try Program()
    try program.seed()
    try program.forgetModel()
    try FileManager.default.removeItem(at: program.folder.appendingPathComponent("Notes.xcdatamodeld"))
    let outcome = try program.run("inspect", "Notes.sqlite")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("none; its tables alone tell of the entities"))
    #expect(outcome.output.contains(/Note +36  [0-9a-f]{16}/))
    let fetched = try program.run("fetch", "Notes.sqlite", "Tag", "--columns", "name", "--format", "csv")
    #expect(fetched.output.hasPrefix("name\n"))
    #expect(try program.run("dump", "Notes.sqlite", "--partial").output.contains("\"Tag\": ["))
    #expect(try program.run("check", "Notes.sqlite").output == "nothing is wrong\n")
  }
}
