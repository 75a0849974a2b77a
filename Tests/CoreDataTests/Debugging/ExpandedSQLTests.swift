import CSystemSQLite
import Foundation
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("Bindings out of expanded SQL")
struct ExpandedSQLTests {
  /// Binds values as the store does, and reads them back from the statement.
  private func bindings(_ sql: String, _ values: [SQLValue]) throws -> [SQLValue] {
    try SQLiteConnection().read { database in
      let query = try SQLiteQuery(SQLStatement(sql: sql, bindings: values), in: database, isCached: false)
      let expanded = try #require(sqlite3_expanded_sql(query.statement.sqliteStatement))
      defer { sqlite3_free(expanded) }
      return ExpandedSQL(sql, expanded: String(cString: expanded)).bindings
    }
  }

  @Test("bindings are read from expanded SQL, whatever they contain")
  func values() throws {
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(-1.5), .real(2), .real(1e300), .text(""),
      .text("it's '?' and ''"),
      .text("Grüße 🎉\n\u{1B}"), .blob(Data()), .blob(Data([0, 255, 63])), .integer(0),
    ]
    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
    #expect(try bindings("SELECT \(marks)", values) == values)
    #expect(try bindings("SELECT ?,? WHERE ?=1", [.text("a,?"), .blob(Data([1])), .integer(1)]).count == 3)
  }

  @Test("bindings within quotes are ignored")
  func quotes() throws {
    let sql = "SELECT 'a''?', \"sqlite_master\".\"name\", [name], `name`, ? FROM sqlite_master WHERE name = ?"
    #expect(try bindings(sql, [.integer(1), .text("x")]) == [.integer(1), .text("x")])
  }

  @Test("reading bindings ends if the two texts do not belong together")
  func nonsense() {
    for expanded in ["", "SELECT", "SELECT '", "SELECT x'", "SELECT x'abc", "SELECT zeroblob("] {
      #expect(ExpandedSQL("SELECT ?, ?, ?", expanded: expanded).bindings.count <= 3)
    }
    #expect(ExpandedSQL("'?", expanded: "").bindings.isEmpty)
  }
}
