import CSystemSQLite
import Foundation
import Testing

@testable import SQLiteDriver

@Suite("Statements of SQLite")
struct StatementTests {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection() }

  @Test(
    "a text of several statements is refused if one is expected",
    arguments: ["; SELECT 2", "; SELEC"]
  )
  func several(_ rest: String) throws {
    try connection.use { database throws in
      let error = #expect(throws: DatabaseError.self) { try database.makeStatement(sql: "SELECT 1" + rest) }
      #expect(error?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test(
    "comments and spaces after a statement are not another statement",
    arguments: [";", "; -- end", " /* end */ ; \n"]
  )
  func comments(_ rest: String) throws {
    try connection.use { database throws in
      #expect(try Int.fetchOne(database, sql: "SELECT 1" + rest) == 1)
    }
  }

  @Test("a text without a statement is refused if one is expected, and otherwise does nothing")
  func nothing() throws {
    try connection.use { database throws in
      let error = #expect(throws: DatabaseError.self) { try database.makeStatement(sql: " -- nothing") }
      #expect(error?.message == "empty statement")
      try database.execute(sql: " -- nothing")
    }
  }

  @Test("statements of one text run in their order, each with its values")
  func inOrder() throws {
    try connection.use { database throws in
      try database.execute(
        sql:
          "CREATE TABLE note (title, stars); INSERT INTO note VALUES (?, ?); INSERT INTO note VALUES (?, 3)",
        arguments: ["one", 1, "two"]
      )
      let rows = try DatabaseRow.fetchAll(database, sql: "SELECT * FROM note ORDER BY rowid")
      #expect(rows.map(\.values) == [[.text("one"), .integer(1)], [.text("two"), .integer(3)]])
      #expect(rows.first?.columns == ["title", "stars"])
    }
  }

  @Test("values that are too few or too many are refused", arguments: [0, 1, 3])
  func wrongCount(_ count: Int) throws {
    let values = Array(repeating: 7, count: count)
    try connection.use { database throws in
      let executed = #expect(throws: DatabaseError.self) {
        try database.execute(sql: "SELECT ?, ?", arguments: values)
      }
      #expect(executed?.resultCode == .SQLITE_MISUSE)
      let fetched = #expect(throws: DatabaseError.self) {
        try Int.fetchOne(database, sql: "SELECT ?, ?", arguments: values)
      }
      #expect(fetched?.message == "wrong number of statement arguments: \(count)")
    }
  }

  @Test("a cached statement is the same object the next time, and an uncached one is not")
  func held() throws {
    try connection.use { database throws in
      let held = try database.cachedStatement(sql: "SELECT 1")
      #expect(try database.cachedStatement(sql: "SELECT 1") === held)
      #expect(try database.makeStatement(sql: "SELECT 1") !== held)
    }
  }

  @Test("a held statement that failed runs the next time")
  func failed() throws {
    try connection.use { database throws in
      try database.execute(sql: "CREATE TABLE note (title UNIQUE); INSERT INTO note VALUES ('one')")
      let statement = try database.cachedStatement(sql: "INSERT INTO note SELECT title FROM note")
      let error = #expect(throws: DatabaseError.self) { try statement.execute() }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      try database.execute(sql: "DELETE FROM note")
      try statement.execute()
    }
  }

  @Test("a held statement follows the tables when they change")
  func schema() throws {
    try connection.use { database throws in
      try database.execute(sql: "CREATE TABLE note (title); INSERT INTO note VALUES ('one')")
      let statement = try database.cachedStatement(sql: "SELECT * FROM note")
      #expect(try statement.step() && statement.values.count == 1)
      _ = try statement.step()
      try database.execute(sql: "ALTER TABLE note ADD COLUMN stars DEFAULT 5")
      #expect(try statement.step() && statement.values == [.text("one"), .integer(5)])
      _ = try statement.step()
    }
  }
}
