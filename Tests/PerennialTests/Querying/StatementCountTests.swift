import Foundation
import Testing

@Suite("Statements of fetch and dump", .enabled(if: Program.url != nil, "the program is not built"))
struct StatementCountTests {
  /// A command that reads, and the number of statements that it needs: one for the objects of each entity, and
  /// one for each relationship.
  struct Reading: CustomTestStringConvertible {
    let command: String
    let arguments: [String]
    let most: Int

    init(_ command: String, _ arguments: String..., most: Int) {
      self.command = command
      self.arguments = arguments
      self.most = most
    }

    var testDescription: String { ([command] + arguments).joined(separator: " ") }

    static let all = [
      Reading("fetch", "Note", most: 3),
      Reading("fetch", "Tag", most: 2),
      Reading("fetch", "Category", most: 2),
      Reading("fetch", "Note", "--columns", "title,tags.@count", most: 2),
      Reading("fetch", "Note", "--columns", "title,tags.notes.category.name", most: 4),
      Reading("fetch", "Note", "--group-by", "category", most: 2),
      Reading("dump", most: 6),
      Reading("dump", "--entity", "Tag", most: 7),
    ]
  }

  private let program: Program

  init() throws {
    program = try Program()
    try program.write(Self.seed, to: "many.json")
  }

  /// 260 objects: 50 categories, 60 tags, and 150 notes with three tags each.
  private static var seed: String {
    let categories = (0..<50).map { #"{"name": "c\#($0)"}"# }
    let tags = (0..<60).map { #"{"name": "t\#($0)"}"# }
    let notes = (0..<150).map { number in
      let own = [number, number * 7 + 1, number * 11 + 2].map { #""t\#($0 % 60)""# }
      return
        #"{"title": "n\#(number)", "category": "c\#(number % 50)", "tags": [\#(Set(own).sorted().joined(separator: ", "))]}"#
    }
    let entities = [("categories", categories), ("tags", tags), ("notes", notes)]
    return "{\(entities.map { "\"\($0)\": [\($1.joined(separator: ",\n"))]" }.joined(separator: ",\n"))}"
  }

  private func seed(_ store: String) throws {
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "many.json", "--store", store, "--quiet")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The statements that read rows of the model's tables. Each of them names a table t0.
  private func statements(_ reading: Reading, of store: String) throws -> [String] {
    let outcome = try program.run([reading.command, store] + reading.arguments + ["--log", "sql"])
    #expect(outcome.status == 0 && outcome.output.count > 400, "\(outcome.errors.prefix(500))")
    return outcome.errorLines.filter { $0.hasPrefix("sql: ") && $0.contains("SELECT") && $0.contains(" t0") }
  }

  @Test("a statement reads a relationship of all objects in a file", arguments: Reading.all)
  func file(_ reading: Reading) throws {
    try seed("Many.sqlite")
    let statements = try statements(reading, of: "Many.sqlite")
    #expect((1...reading.most).contains(statements.count), "\(statements.prefix(20))")
  }

  @Test(
    "a statement reads a relationship of all objects on a server",
    .enabled(if: ServerSchema.server != nil, "PERENNIAL_POSTGRESQL has no URL of a server"),
    arguments: Reading.all
  )
  func server(_ reading: Reading) throws {
    let schema = ServerSchema()
    try seed(schema.url)
    let statements = try statements(reading, of: schema.url)
    #expect((1...reading.most).contains(statements.count), "\(statements.prefix(20))")
  }
}
