import Foundation
import Testing

@Suite("perennial fetch", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct FetchCommandTests {
  @Test("a predicate over relationships finds its notes")
  func predicate() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--model",
      "Notes.xcdatamodeld",
      "--where",
      "category.name == 'Birds' AND ANY tags.name == 'Fruit'",
      "--columns",
      "contents,category,tags"
    )
    #expect(
      outcome.output == """
        contents                                  category  tags
        ----------------------------------------  --------  -------------
        They arrive from Scandinavia in chatt...  Birds     Fruit, Winter
        1 object

        """
    )
  }

  @Test("fetch respects order, limit and offset, and finds the model next to the store")
  func order() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "categories",
      "--sort",
      "name:desc",
      "--limit",
      "2",
      "--offset",
      "1",
      "--columns",
      "name,colorAsHex",
      "--format",
      "csv"
    )
    #expect(outcome.output == "name,colorAsHex\nShrubs,7A8B3C\nInsects,C98A1B\n")
  }

  @Test("--count prints how many objects a predicate finds")
  func count() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "ANY tags.name == 'Edible'",
      "--count"
    )
    let listed = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "ANY tags.name == 'Edible'",
      "--columns",
      "title",
      "--format",
      "csv"
    )
    let rows = listed.output.split(separator: "\n").count - 1
    #expect(rows > 0)
    #expect(outcome.output == "\(rows)\n")
  }

  @Test("a text in --where that is compared with a date is ISO 8601, and --sort accepts SQL's order")
  func dates() throws {
    let program = try Program()
    try program.seed()
    let since = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "createdAt > '2024-08-10' AND createdAt <= '2024-08-11T00:00:00Z'",
      "--columns",
      "createdAt",
      "--sort",
      "createdAt desc",
      "--format",
      "csv"
    )
    #expect(since.output.hasPrefix("createdAt\n2024-08-11T00:00:00Z\n"), "\(since.errors)")
  }

  @Test(
    "a --where that can never be true is refused with a suggestion",
    arguments: [
      ("createdAt > '10/01/2024'", "\"10/01/2024\" is not a date"),
      ("createdAt > 2024-10-01", "write \"2024-10-01\""),
      ("category.name = Shrubs", "put the text in quotes: \"Shrubs\""), ("title IS NULL", "write == nil"),
      ("category == 'Shrubs'", "category.name"),
    ]
  )
  func impossible(predicate: String, words: String) throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run("fetch", "Notes.sqlite", "Note", "--where", predicate)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("--where: ") && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("--explain prints the SQL, the bound values and SQLite's plan")
  func explain() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "category.name == \"a'b\"",
      "--explain"
    )
    #expect(outcome.output.hasPrefix("SELECT "))
    #expect(outcome.output.contains("WHERE"))
    #expect(outcome.output.contains("with 'a''b'"))
    #expect(outcome.output.contains("SEARCH") || outcome.output.contains("SCAN"))
  }

  @Test("JSON has relationships by natural key")
  func json() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "title BEGINSWITH 'Bramble'",
      "--format",
      "json"
    )
    let objects = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
    let note = try #require(objects?.first)
    #expect(note["title"] as? String == "Bramble flowers and fruits at once")
    #expect(note["createdAt"] as? String == "2024-08-11T00:00:00Z")
    #expect(note["category"] as? String == "Climbers")
    #expect(note["tags"] as? [String] == ["Edible", "Flower", "Fruit", "Summer"])
    #expect((note["contents"] as? String)?.hasPrefix("Flower, red berry") == true)
  }

  @Test("columns may follow relationships and count them")
  func columns() throws {
    let program = try Program()
    try program.write(
      """
      {"categories": [{"name": "Walls"}], "tags": [{"name": "Fungi"}, {"name": "Moss"}],
       "notes": [{"title": "Cushions on the coping", "category": "Walls", "tags": ["Moss"]}]}
      """,
      to: "seed.json"
    )
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Tag",
      "--sort",
      "name",
      "--columns",
      "name,notes.@count,notes.category.name",
      "--format",
      "csv"
    )
    #expect(outcome.output == "name,notes.@count,notes.category.name\nFungi,0,\nMoss,1,Walls\n")
  }
}
