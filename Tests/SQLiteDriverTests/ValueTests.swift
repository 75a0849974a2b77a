import Foundation
import Testing

@testable import SQLiteDriver

@Suite("Values in SQLite")
struct ValueTests {
  private let connection: SQLiteConnection

  init() throws { connection = try SQLiteConnection() }

  private static let values: [DatabaseValue] = [
    .null, .integer(.min), .integer(.max), .real(-1.5), .real(.infinity), .real(.leastNonzeroMagnitude),
    .text(""),
    .text("a\u{0}b"), .text("e\u{301} 🌱"), .blob(Data()), .blob(Data([0, 255, 0])),
    .blob(Data(repeating: 7, count: 3 << 20)), .text(String(repeating: "ü", count: 1 << 20)),
  ]

  @Test("values are read as they were bound, whatever they contain", arguments: values.indices)
  func bound(_ index: Int) throws {
    let value = Self.values[index]
    let found = try connection.use { try DatabaseRow.fetchOne($0, sql: "SELECT ?", arguments: [value]) }
    #expect(found?.values == [value])
  }

  @Test("a value is read as the types that it is one of")
  func types() throws {
    #expect(Int(databaseValue: .integer(5)) == 5 && Int64(databaseValue: .real(2)) == 2)
    #expect(Int(databaseValue: .real(2.5)) == nil && Int(databaseValue: .text("5")) == nil)
    #expect(Double(databaseValue: .integer(5)) == 5 && Double(databaseValue: .null) == nil)
    #expect(Bool(databaseValue: .integer(2)) == true && Bool(databaseValue: .real(0)) == false)
    #expect(
      String(databaseValue: .blob(Data([0x61]))) == "a" && String(databaseValue: .blob(Data([255]))) == nil
    )
    #expect(Data(databaseValue: .text("a")) == Data([0x61]) && Data(databaseValue: .integer(1)) == nil)
  }

  @Test("a missing row and null have no value, and another type is an error")
  func answers() throws {
    try connection.use { database throws in
      #expect(try Int.fetchOne(database, sql: "SELECT 1 WHERE 0") == nil)
      #expect(try Int.fetchOne(database, sql: "SELECT NULL") == nil)
      let one = #expect(throws: DatabaseError.self) { try Int.fetchOne(database, sql: "SELECT 'five'") }
      #expect(one?.resultCode == .SQLITE_MISMATCH)
      let union = "SELECT 1 UNION ALL SELECT NULL"
      #expect(try Int?.fetchAll(database, sql: union) == [1, nil])
      let all = #expect(throws: DatabaseError.self) { try Int.fetchAll(database, sql: union) }
      #expect(all?.resultCode == .SQLITE_MISMATCH)
    }
  }

  @Test("a query of one value leaves no statement running")
  func ended() throws {
    try connection.use { database throws in
      let series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
      #expect(try Int.fetchOne(database, sql: series) == 1)
      try database.execute(sql: "CREATE TABLE note (title)")
      try database.execute(sql: "DROP TABLE note")
    }
    try connection.close()
  }

  @Test("tables and columns are found whatever the case of their letters")
  func schema() throws {
    try connection.use { database throws in
      try database.execute(sql: "CREATE TABLE ZNote (ZTITLE VARCHAR, Z_PK INTEGER PRIMARY KEY, plain)")
      #expect(try database.tableExists("ZNOTE") && !database.tableExists("ZTAG"))
      let columns = try database.columns(in: "znote")
      #expect(columns.map(\.name) == ["ZTITLE", "Z_PK", "plain"])
      #expect(columns.map(\.type) == ["VARCHAR", "INTEGER", ""])
      #expect(try database.columns(in: "ZTAG").isEmpty)
    }
  }
}
