import Foundation
import Testing

@testable import SQLiteDriver

@Suite("Functions and orders of SQL")
struct FunctionTests {
  private final class Token {}

  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "this value is refused" }
  }

  @Test(
    "a function gets its arguments, and its result is the value",
    arguments: [
      DatabaseValue.null, .integer(.min), .real(0.5), .text(""), .text("a\u{0}b"), .blob(Data()),
      .blob(Data([0, 1])),
    ]
  )
  func values(_ value: DatabaseValue) throws {
    try SQLiteConnection().use { database throws in
      database.addFunction("second", argumentCount: 2) { $0[1] }
      let row = try DatabaseRow.fetchOne(database, sql: "SELECT second(1, ?)", arguments: [value])
      #expect(row?.values == [value])
    }
  }

  @Test("an error of a function is the statement's")
  func errors() throws {
    try SQLiteConnection().use { database throws in
      database.addFunction("refuse", argumentCount: 0) { _ in throw Refusal() }
      let own = #expect(throws: DatabaseError.self) { try database.execute(sql: "SELECT refuse()") }
      #expect(own?.resultCode == .SQLITE_ERROR && own?.message == "this value is refused")
      database.addFunction("refuse", argumentCount: 0) { _ in
        throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE, message: "there is one")
      }
      let coded = #expect(throws: DatabaseError.self) { try database.execute(sql: "SELECT refuse()") }
      #expect(coded?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE && coded?.message == "there is one")
    }
  }

  @Test("a function is kept until it is removed, or its connection closed")
  func lifetime() throws {
    let connection = try SQLiteConnection()
    weak var removed: Token?
    weak var closed: Token?
    connection.use { database in
      let (first, second) = (Token(), Token())
      (removed, closed) = (first, second)
      database.addFunction("first", argumentCount: 0) { _ in "\(first)" }
      database.addFunction("second", argumentCount: 0) { _ in "\(second)" }
    }
    #expect(removed != nil && closed != nil)
    connection.use { $0.removeFunction("first", argumentCount: 0) }
    #expect(removed == nil && closed != nil)
    #expect(throws: DatabaseError.self) { try connection.use { try $0.execute(sql: "SELECT first()") } }
    try connection.close()
    #expect(closed == nil)
  }

  @Test("an order of texts sorts them, and is kept until the connection is closed")
  func collations() throws {
    weak var kept: Token?
    let connection = try SQLiteConnection()
    try connection.use { database throws in
      let token = Token()
      kept = token
      database.addCollation("byLength") { first, second in
        _ = token
        return Int32(first.count - second.count)
      }
      let query = "SELECT column1 FROM (VALUES ('aaa'), (''), ('üü'), ('b')) ORDER BY 1 COLLATE byLength"
      #expect(try String.fetchAll(database, sql: query) == ["", "b", "aaa", "üü"])
    }
    #expect(kept != nil)
    try connection.close()
    #expect(kept == nil)
  }
}
