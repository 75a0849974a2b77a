import Foundation
import Seeding
import Testing
import Texts

@testable import PerennialCommands

@Suite("Data that could attack a terminal")
struct VisibleOutputTests {
  private func table(_ text: String) -> ResultTable {
    ResultTable(columns: ["a\u{1B}[31m"], rows: [[.text(text)]])
  }

  static let commands = [
    "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}31m", "\u{8}\u{8}", "\u{7F}", "a\rb", "\u{0}",
  ]

  @Test(
    "tables spell control characters and turned text",
    arguments: commands + ["\u{202E}abc", "\u{2066}x"]
  )
  func tables(text: String) {
    let lines = TextTable.text(table("x" + text + "y")).split(separator: "\n")
    for line in lines { #expect(!line.unicodeScalars.contains { $0.isCommand || $0.turnsDirection }) }
    #expect(lines[0].contains("\\u{1B}"))
    #expect(TextTable.text(table("x" + text + "y"), isRaw: true).contains(text) == !text.contains("\r"))
  }

  @Test(
    "JSON has escapes for them, and the same values",
    arguments: commands + ["\u{202E}abc", "é\u{85}\u{2028}\u{1F600}"]
  )
  func json(text: String) throws {
    let json = try JSONText.text(ResultTable(columns: ["a"], rows: [[.text(text)]]))
    #expect(!json.unicodeScalars.contains { ($0.isCommand || $0.turnsDirection) && $0 != "\n" })
    let values = try JSONDecoder().decode([[String: String]].self, from: Data(json.utf8))
    #expect(values == [["a": text]])
  }

  @Test(
    "CSV marks texts that are formulas, and leaves numbers and other texts alone",
    arguments: [
      ("=1+1", "'=1+1"), ("+31 6 1234", "'+31 6 1234"), ("-1+1", "'-1+1"), ("@SUM(A1)", "'@SUM(A1)"),
      ("\tx", "'\tx"), ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("\u{FF1D}1", "'\u{FF1D}1"),
      ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""), ("=\u{301}1", "'=\u{301}1"),
      ("-12", "-12"), ("-1.5e3", "-1.5e3"), ("a=1", "a=1"), ("", ""), ("12-1", "12-1"), ("-", "'-"),
    ]
  )
  func csv(text: String, field: String) {
    let table = ResultTable(columns: ["a"], rows: [[.text(text)]])
    #expect(CSVText.text(table) == "a\n\(field)\n")
    let raw = CSVText.text(table, isRaw: true)
    #expect(
      raw.hasSuffix(
        text.utf8.contains(0x22) || text.utf8.contains(0x0A) || text.utf8.contains(0x0D)
          ? "\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\"\n"
          : "a\n\(text)\n"
      )
    )
  }

  @Test("CSV leaves negative numbers alone, marks bytes and lists as texts, and spells control characters")
  func csvValues() {
    let row: [ResultValue] = [
      .integer(-12), .real(-0.5), .decimal(-7), .real(-.infinity), .data(Data([0xF8])), .list([.text("=1")]),
      .text("a\u{1B}b"), .fields(["=x": .integer(1)]),
    ]
    let table = ResultTable(columns: ["=a", "b", "c", "d", "e", "f", "g", "h"], rows: [row])
    #expect(
      CSVText.text(table)
        == "'=a,b,c,d,e,f,g,h\n-12,-0.5,-7,-inf,'+A==,'=1,a\\u{1B}b,'=x: 1\n"
    )
  }

  @Test("dates that no calendar has are shown")
  func dates() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e15] {
      let text = ResultValue.date(Date(timeIntervalSinceReferenceDate: seconds)).plainText
      #expect(text.hasSuffix(" s after 2001-01-01"), "\(text)")
    }
  }

  @Test("a cell of one character that has very many of Unicode is cut")
  func accents() {
    let text = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(TextTable.text(table(text)).utf8.count < 3000)
  }

  @Test("a failure is one line that a terminal can be shown")
  func failures() {
    let failure = CommandFailure(file: "a\u{1B}[2J\nb\u{9B}", problem: String(repeating: "x", count: 100_000))
    #expect(failure.description.hasPrefix("a\\u{1B}[2J b\\u{9B}: x"))
    #expect(failure.description.utf8.count < 4100)
  }
}

@Suite(
  "The program's output of data",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct VisibleProgramTests {
  private func seeded() throws -> Program {
    let program = try Program()
    try program.write(
      #"{"tags": [{"name": "\u001b[2J"}, {"name": "=1+1"}], "notes": [{"title": "\u009b1m", "tags": ["=1+1"]}]}"#,
      to: "evil.json"
    )
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "evil.json", "--store", "Notes.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return program
  }

  private func isVisible(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.isCommand && $0 != "\n" && $0 != "\r" }
  }

  @Test("fetch, inspect, dump and diff show no control character, and --raw has the bytes")
  func commands() throws {
    let program = try seeded()
    try program.write("{\"tags\": [], \"notes\": []}", to: "none.json")
    for arguments in [
      ["fetch", "Notes.sqlite", "Tag"], ["fetch", "Notes.sqlite", "Tag", "--format", "csv"],
      ["fetch", "Notes.sqlite", "Tag", "--format", "json"],
      ["fetch", "Notes.sqlite", "Note", "--group-by", "title"],
      ["inspect", "Notes.sqlite"], ["dump", "Notes.sqlite"], ["seed", "diff", "Notes.sqlite", "none.json"],
    ] {
      let outcome = try program.run(arguments)
      #expect(isVisible(outcome.output) && isVisible(outcome.errors), "\(arguments): \(outcome.output)")
      #expect(!outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
    }
    let table = try program.run("fetch", "Notes.sqlite", "Tag", "--raw", "--columns", "name")
    #expect(table.output.contains("\u{1B}[2J"))
    let safe = try program.run(
      "fetch",
      "Notes.sqlite",
      "Tag",
      "--format",
      "csv",
      "--columns",
      "name",
      "--sort",
      "name"
    )
    #expect(safe.output == "name\n\\u{1B}[2J\n'=1+1\n")
    let raw = try program.run(
      "fetch",
      "Notes.sqlite",
      "Tag",
      "--format",
      "csv",
      "--columns",
      "name",
      "--sort",
      "name",
      "--raw"
    )
    #expect(raw.output == "name\n\u{1B}[2J\n=1+1\n")
  }

  @Test("metadata and errors show no control character")
  func errors() throws {
    let program = try seeded()
    try program.write("{\"tags\": [{\"\\u001b[2J\": 1}]}", to: "bad.json")
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "bad.json", "--store", "Notes.sqlite")
    #expect(outcome.status == 1 && isVisible(outcome.errors) && outcome.errorLines.count == 1)
    let name = "\u{1B}[2J.json"
    try program.write("{\"tags\": [{\"name\": \"X\"}]}", to: name)
    for _ in 0..<2 {
      let named = try program.run("seed", "Notes.xcdatamodeld", name, "--store", "Notes.sqlite")
      #expect(named.status == 0 && isVisible(named.output), "\(named.output)")
    }
    let inspected = try program.run("inspect", "Notes.sqlite")
    #expect(isVisible(inspected.output) && inspected.output.contains("\\u{1B}[2J.json"))
  }

  @Test("a dump of control characters loads as they are")
  func dump() throws {
    let program = try seeded()
    try program.write(try program.run("dump", "Notes.sqlite").output, to: "dump.json")
    let seeded = try program.run("seed", "Notes.xcdatamodeld", "dump.json", "--store", "Other.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let arguments = ["Tag", "--format", "csv", "--raw", "--sort", "name"]
    let one = try program.run(["fetch", "Notes.sqlite"] + arguments)
    #expect(try program.run(["fetch", "Other.sqlite"] + arguments).output == one.output)
  }
}
