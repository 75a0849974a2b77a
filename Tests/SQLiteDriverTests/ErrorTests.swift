import Foundation
import Testing

@testable import SQLiteDriver

@Suite("Errors of SQLite")
struct ErrorTests {
  @Test("an error says what failed in which statement, and never the values")
  func description() throws {
    try SQLiteConnection().use { database throws in
      let missing = #expect(throws: DatabaseError.self) {
        try database.execute(sql: " SELECT * FROM note ; ")
      }
      #expect(
        missing?.description == "SQLite error 1: no such table: note - while executing `SELECT * FROM note`"
      )
      try database.execute(sql: "CREATE TABLE note (title UNIQUE); INSERT INTO note VALUES ('secret')")
      let broken = #expect(throws: DatabaseError.self) {
        try database.execute(sql: "INSERT INTO note VALUES (?)", arguments: ["secret"])
      }
      #expect(
        broken?.localizedDescription
          == "SQLite error 19: UNIQUE constraint failed: note.title - while executing `INSERT INTO note VALUES (?)`"
      )
    }
  }

  @Test("an error names the one of several statements that failed")
  func several() throws {
    try SQLiteConnection().use { database throws in
      let error = #expect(throws: DatabaseError.self) {
        try database.execute(sql: "CREATE TABLE note (title); INSERT INTO note VALUES (zeroblob(-1), 2)")
      }
      #expect(error?.sql?.contains("CREATE") == false)
      #expect(try database.tableExists("note"))
    }
  }

  @Test("an error without a message of its own has SQLite's")
  func words() {
    let error = DatabaseError(resultCode: .SQLITE_BUSY)
    #expect(error.description == "SQLite error 5: database is locked")
    let bridged = error as NSError
    #expect(bridged.domain == "NSSQLiteErrorDomain" && bridged.code == 5)
    #expect(bridged.localizedDescription == error.description)
    #expect(bridged.localizedFailureReason == "database is locked")
  }

  @Test("a primary code matches its extended ones")
  func matching() {
    #expect(ResultCode.SQLITE_CONSTRAINT ~= ResultCode.SQLITE_CONSTRAINT_UNIQUE)
    #expect(!(ResultCode.SQLITE_CONSTRAINT_UNIQUE ~= ResultCode.SQLITE_CONSTRAINT))
    #expect(ResultCode.SQLITE_CONSTRAINT_UNIQUE.primaryResultCode == .SQLITE_CONSTRAINT)
  }
}
