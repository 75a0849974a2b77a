import Foundation
import Seeding
import Testing

@testable import PerennialCommands

@Suite("Printing results")
struct OutputTests {
  private let table = ResultTable(
    columns: ["title", "count", "tags"],
    rows: [
      [.text("Plain"), .integer(7), .list([.text("a"), .text("b")])],
      [.text("say \"hi\", she said"), .integer(-12), .list([])],
      [.text("two\nlines"), .none, .none],
    ]
  )

  @Test("CSV has a header, CR LF, and the quotes that RFC 4180 requires")
  func csv() {
    #expect(
      CSVText.text(table)
        == "title,count,tags\nPlain,7,\"a, b\"\n\"say \"\"hi\"\", she said\",-12,\n\"two\nlines\",,\n"
    )
  }

  @Test("CSV quotes values that a reader might trim")
  func csvSpaces() {
    let table = ResultTable(
      columns: ["a"],
      rows: [[.text(" x")], [.text("x ")], [.text("x\r")], [.text("")]]
    )
    #expect(CSVText.text(table) == "a\n\" x\"\n\"x \"\n\"x\r\"\n\n")
  }

  @Test("JSON is a list of objects with sorted keys, null for no value")
  func json() throws {
    let text = try JSONText.text(
      ResultTable(columns: ["b", "a"], rows: [[.none, .list([.bool(true), .real(0.1)])]])
    )
    #expect(text == "[\n  {\n    \"a\" : [\n      true,\n      0.1\n    ],\n    \"b\" : null\n  }\n]\n")
  }

  @Test("JSON keeps numbers exact and slashes as they are")
  func jsonValues() throws {
    let row: [ResultValue] = [
      .integer(.max), .decimal(Decimal(string: "12345678901234567890.5")!), .text("a/b"),
      .date(Date(timeIntervalSince1970: 1_710_683_139)), .data(Data([1, 2, 3])), .real(.nan),
      .fields(["x": .real(1.5)]),
    ]
    let text = try JSONText.text(ResultTable(columns: ["a", "b", "c", "d", "e", "f", "g"], rows: [row]))
    for part in [
      "9223372036854775807", "12345678901234567890.5", "\"a/b\"", "\"2024-03-17T13:45:39Z\"", "\"AQID\"",
      "\"nan\"",
      "\"x\" : 1.5",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("a table aligns its columns, numbers to the right, and counts the objects")
  func textTable() {
    #expect(
      TextTable.text(table) == """
        title               count  tags
        ------------------  -----  ----
        Plain                   7  a, b
        say "hi", she said    -12
        two lines
        3 objects

        """
    )
  }

  @Test("a table cuts long values, shows bytes by their number, and can be empty")
  func textTableLimits() {
    let long = ResultTable(
      columns: ["x"],
      rows: [[.text(String(repeating: "ab", count: 40))], [.data(Data(count: 9))]]
    )
    let lines = TextTable.lines(long)
    #expect(lines[2].count == TextTable.widestColumn)
    #expect(lines[2].hasSuffix("..."))
    #expect(lines[3] == "9 bytes")
    #expect(TextTable.text(ResultTable(columns: ["x"], rows: [])) == "x\n-\n0 objects\n")
  }

  private static let wide = ResultTable(
    columns: ["title", "contents", "count", "createdAt"],
    rows: [
      [
        .text("A hazel catkin is all pollen"), .text(String(repeating: "The yellow tassels. ", count: 9)),
        .integer(1_234_567_890), .date(Date(timeIntervalSince1970: 1_710_683_139)),
      ],
      [.text("Short"), .text("short"), .integer(-1), .none],
    ]
  )

  @Test("a table is made to fit a terminal: the widest texts are cut first, numbers and dates not at all")
  func narrowed() {
    #expect(
      TextTable.text(Self.wide, width: 80) == """
        title                   contents                count       createdAt
        ----------------------  ----------------------  ----------  --------------------
        A hazel catkin is a...  The yellow tassels....  1234567890  2024-03-17T13:45:39Z
        Short                   short                           -1
        2 objects

        """
    )
    #expect(TextTable.text(Self.wide, width: 200) == TextTable.text(Self.wide))
    #expect(TextTable.text(table, width: 80) == TextTable.text(table))
  }

  @Test("dates omit the time if the table then fits, and a row that cannot fit is left whole")
  func narrowedDates() {
    let lines = TextTable.lines(Self.wide, width: 50)
    #expect(
      lines[2...] == [
        "A hazel c...  The yello...  1234567890  2024-03-17",
        "Short         short                 -1",
      ]
    )
    #expect(lines.allSatisfy { $0.count <= 50 })
    #expect(TextTable.lines(Self.wide, width: 40) == TextTable.lines(Self.wide))
  }

  @Test("dates have fractions of a second only if one of them needs them")
  func dates() {
    #expect(ResultValue.date(Date(timeIntervalSince1970: 0)).plainText == "1970-01-01T00:00:00Z")
    #expect(ResultValue.date(Date(timeIntervalSince1970: 1.25)).plainText == "1970-01-01T00:00:01.250Z")
  }
}
