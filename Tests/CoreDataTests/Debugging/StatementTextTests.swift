import Foundation
import Testing

@testable import CoreData

@Suite("The text of a statement in a log")
struct StatementTextTests {
  private func statement(_ sql: String) -> ExecutedStatement {
    ExecutedStatement(store: "/a.sqlite", sql: sql)
  }

  @Test("a log line has the statement with its number of rows and its time")
  func line() {
    var fetch = statement("SELECT Z_PK\nFROM ZNOTE")
    fetch.rowCount = 1
    fetch.duration = .microseconds(1_234_567)
    #expect("\(StatementText(fetch))" == "SELECT Z_PK FROM ZNOTE -- 1 row, 1.234567 s")
    var update = statement("UPDATE ZNOTE SET ZTITLE = ?")
    update.changeCount = 3
    #expect("\(StatementText(update))" == "UPDATE ZNOTE SET ZTITLE = ? -- 3 changed, 0 rows, 0.000000 s")
  }

  @Test("bindings, triggers, rows and the plan are on log lines of their own")
  func details() {
    var fetch = statement("SELECT ?")
    fetch.bindings = [.null, .integer(18), .real(0.5), .text("it's"), .blob(Data([1, 0xAB]))]
    fetch.triggers = ["Z_DA_Note"]
    fetch.rows = [[.integer(1)], [.null]]
    fetch.rowCount = 2
    fetch.plan = ["SCAN ZNOTE", "  LIST SUBQUERY 1"]
    #expect(
      "\(StatementText(fetch))" == """
        SELECT ? -- 2 rows, 0.000000 s
          bindings: NULL, 18, 0.5, 'it''s', <2 bytes: 01 AB>
          trigger: Z_DA_Note
          row: 1
          row: NULL
          plan: SCAN ZNOTE
          plan:   LIST SUBQUERY 1
        """
    )
  }

  @Test("the log escapes control characters and those that change the text direction")
  func control() {
    let text = StatementText.text(.text("a\u{1B}[2J\n\r\t\u{0}\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}é\u{200F}"))
    #expect(
      text == "'a\\u{1B}[2J\\u{A}\\u{D}\\u{9}\\u{0}\\u{7F}\\u{9B}\\u{2028}\\u{202E}\\u{2066}é\u{200F}'"
    )
    #expect(!"\(StatementText(statement("SELECT \u{1B}[31m")))".contains("\u{1B}"))
  }

  @Test("log lines are short for any length of texts, data, lists and results")
  func lengths() {
    #expect(StatementText.text(.text(String(repeating: "a", count: 200))).count == 202)
    #expect(StatementText.text(.text(String(repeating: "é", count: 5_000_000))).count == 202)
    #expect(StatementText.text(.text(String(repeating: "a", count: 201))).hasSuffix("aa...'"))
    // One character may consist of very many Unicode scalars.
    #expect(StatementText.text(.text("e" + String(repeating: "\u{301}", count: 100_000))).utf8.count < 500)
    #expect(StatementText.text(.blob(Data(count: 3_000_000))).hasPrefix("<3000000 bytes: 00 00"))
    #expect(StatementText.text(.blob(Data(count: 3_000_000))).count < 80)
    #expect(StatementText.text(.blob(Data())) == "<0 bytes>")
    let values = Array(repeating: SQLValue.integer(1), count: 500)
    #expect(StatementText.values(values).hasSuffix("1, and 300 more"))
    var fetch = statement(String(repeating: "?, ", count: 100_000))
    fetch.rows = Array(repeating: [.integer(1)], count: 100)
    fetch.rowCount = 1_000_000
    let text = "\(StatementText(fetch))"
    #expect(text.count < 13_000 && text.hasSuffix("  row: 1\n  and 999900 more"))
  }
}
