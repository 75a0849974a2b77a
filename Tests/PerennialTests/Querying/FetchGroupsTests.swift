import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "perennial fetch --group-by",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct FetchGroupsTests {
  /// The output, as CSV, of a fetch of the example's notes.
  private func fetch(_ arguments: String...) throws -> String {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(["fetch", "Notes.sqlite", "Note"] + arguments + ["--format", "csv"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test("fetch --group-by prints a row for each group, in the groups' order, with its number of objects")
  func counts() throws {
    #expect(
      try fetch("--group-by", "category.name")
        == "category.name,count\nBirds,4\nClimbers,6\nHerbs,7\nInsects,5\nShrubs,9\nTrees,5\n"
    )
  }

  @Test("columns may be functions over the objects of a group, and groups are sorted by them")
  func functions() throws {
    let output = try fetch(
      "--group-by",
      "category.name",
      "--columns",
      "max:(createdAt), category.name, count:(title)",
      "--sort",
      "count:(title):desc,category.name",
      "--limit",
      "2"
    )
    #expect(
      output == """
        max:(createdAt),category.name,count:(title)
        2024-12-15T00:00:00Z,Shrubs,9
        2024-06-30T00:00:00Z,Herbs,7

        """
    )
  }

  @Test("fetch --group-by groups the objects that --where matches; offset and limit count groups")
  func predicate() throws {
    let condition = "title CONTAINS 'berries'"
    #expect(
      try fetch("--group-by", "category.name", "--where", condition)
        == "category.name,count\nShrubs,2\nTrees,1\n"
    )
    #expect(
      try fetch("--group-by", "category.name", "--where", condition, "--offset", "1", "--limit", "1")
        == "category.name,count\nTrees,1\n"
    )
  }

  @Test("objects that make groups are shown by their natural keys")
  func relationship() throws {
    let output = try fetch("--group-by", "category", "--sort", "count:desc", "--limit", "1")
    #expect(output == "category,count\nShrubs,9\n")
  }

  @Test("--count prints the number of groups, --explain how they are made, or how their objects are found")
  func countAndExplain() throws {
    #expect(try fetch("--group-by", "category.name", "--count") == "6\n")
    let explanation = try fetch("--group-by", "category.name", "--limit", "1", "--explain")
    #expect(explanation.hasPrefix("SELECT t1.ZNAME, COUNT(*) FROM ZNOTE t0 "))
    #expect(explanation.contains(" GROUP BY t1.ZNAME ORDER BY t1.ZNAME LIMIT ?"))
    let columns = ["--columns", "category.name, median:(createdAt)"]
    let ofObjects = try fetch(
      "--group-by",
      "category.name",
      columns[0],
      columns[1],
      "--limit",
      "1",
      "--explain"
    )
    #expect(ofObjects.hasPrefix("SELECT t0.Z_PK, "))
  }

  @Test(
    "a column with several values in a group, or with none, is named",
    arguments: [
      (["--columns", "title"], "a group has many values of \"title\""),
      (["--columns", "uppercase:(title)"], "a group has many values of \"uppercase:(title)\""),
      (["--columns", "max:(titel)"], "has no property \"titel\""),
      (["--columns", "max:("], "--columns: \"max:(\""),
      (["--sort", "title"], "--sort: groups are sorted by their columns"),
      (["--columns", "count:(title)", "--sort", "max:(title)"], "the columns are count:(title)"),
    ]
  )
  func bad(arguments: [String], message: String) throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run(
      ["fetch", "Notes.sqlite", "Note", "--group-by", "category.name"] + arguments
    )
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("an unknown key of --group-by is named with the existing ones")
  func unknownKey() throws {
    let program = try Program()
    try program.seed()
    let outcome = try program.run("fetch", "Notes.sqlite", "Note", "--group-by", "category.nam")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("\"category.nam\": Category has no property \"nam\""),
      "\(outcome.errors)"
    )
  }
}

@Suite("Lists of expressions")
struct ExpressionListTests {
  @Test(
    "commas separate expressions, but in parentheses and quotes",
    arguments: [
      ("a, b.c", ["a", "b.c"]), ("max:(a),add:to:(a, 1)", ["max:(a)", "add:to:(a, 1)"]),
      ("f:(', ('), b", ["f:(', (')", "b"]), ("f:({1, 2}, \"(\"),b", ["f:({1, 2}, \"(\")", "b"]),
    ]
  )
  func parts(text: String, expected: [String]) {
    #expect(ExpressionList(argument: text)?.parts == expected)
  }

  @Test("an empty part is wrong usage", arguments: ["", "a,,b", "a,", " "])
  func empty(text: String) {
    #expect(ExpressionList(argument: text) == nil)
  }
}
