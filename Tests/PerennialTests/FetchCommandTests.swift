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
      "category.name == 'Swift' AND ANY tags.name == 'Programming'",
      "--columns",
      "title,category,tags"
    )
    #expect(
      outcome.output == """
        title                                     category  tags
        ----------------------------------------  --------  -----------
        What Is a Singleton and How To Create...  Swift     Programming
        1 object

        """
    )
  }

  @Test("the order, the limit and the offset hold, and the model is found beside the store")
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
    #expect(outcome.output == "name,colorAsHex\r\ntvOS,F2F2F2\r\nmacOS,CD3227\r\n")
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
      "ANY tags.name == 'Programming'",
      "--count"
    )
    let listed = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--where",
      "ANY tags.name == 'Programming'",
      "--columns",
      "title",
      "--format",
      "csv"
    )
    let rows = listed.output.split(separator: "\r\n").count - 1
    #expect(rows > 0)
    #expect(outcome.output == "\(rows)\n")
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
      "title BEGINSWITH 'Three'",
      "--format",
      "json"
    )
    let objects = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
    let note = try #require(objects?.first)
    #expect(note["title"] as? String == "Three Podcasts for Developers")
    #expect(note["createdAt"] as? String == "2018-02-06T17:43:33Z")
    #expect(note["category"] as? String == "Xcode")
    #expect(note["tags"] as? [String] == ["Apple", "Libraries", "Programming", "Tips and Tricks"])
    #expect((note["contents"] as? String)?.hasPrefix("Curabitur") == true)
  }

  @Test("columns may follow relationships and count them")
  func columns() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      "fetch",
      "Notes.sqlite",
      "Tag",
      "--sort",
      "name",
      "--where",
      "name == 'WWDC' OR name == 'News'",
      "--columns",
      "name,notes.@count,notes.category.name",
      "--format",
      "csv"
    )
    #expect(outcome.output == "name,notes.@count,notes.category.name\r\nNews,1,Swift\r\nWWDC,0,\r\n")
  }
}
