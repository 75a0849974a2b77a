import GRDBSQLite
import Samples

/// Reads and writes the rows of ten integers.
extension RawSQLite {
  private static let columns = (0..<10).map { "ZA\($0)" }.joined(separator: ", ")
  static let selection = "SELECT Z_PK, Z_OPT, \(columns) FROM ZSAMPLE"

  /// Steps through all rows and adds all values.
  func readAll() throws -> Int64 {
    var sum: Int64 = 0
    try each(Self.selection) { sum &+= Self.sum($0) }
    return sum
  }

  func readByKey(_ keys: [Int64]) throws -> Int64 {
    let statement = try prepare(Self.selection + " WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    var sum: Int64 = 0
    for key in keys {
      sqlite3_bind_int64(statement, 1, key)
      if sqlite3_step(statement) == SQLITE_ROW { sum &+= Self.sum(statement) }
      sqlite3_reset(statement)
    }
    return sum
  }

  private static func sum(_ row: OpaquePointer?) -> Int64 {
    var sum: Int64 = 0
    for column in 2..<Int32(12) { sum &+= sqlite3_column_int64(row, column) }
    return sum
  }

  func insert(_ count: Int, from first: Int = 0) throws {
    try insert(first..<first + count) { row, column in Sample.value(row, column) }
  }

  /// Inserts rows in one transaction, with the values that the closure returns for their columns.
  func insert(_ rows: Range<Int>, values: (_ row: Int, _ column: Int) throws -> Int64) throws {
    let marks = Array(repeating: "?", count: 13).joined(separator: ", ")
    try inTransaction {
      let statement = try prepare(
        "INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, \(Self.columns)) VALUES (\(marks))"
      )
      defer { sqlite3_finalize(statement) }
      for row in rows {
        sqlite3_bind_int64(statement, 1, Int64(row + 1))
        sqlite3_bind_int64(statement, 2, 1)
        sqlite3_bind_int64(statement, 3, 1)
        for column in 0..<10 { sqlite3_bind_int64(statement, Int32(column + 4), try values(row, column)) }
        try run(statement)
      }
    }
  }

  func update(_ count: Int) throws {
    try inTransaction {
      let statement = try prepare("UPDATE ZSAMPLE SET ZA0 = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?")
      defer { sqlite3_finalize(statement) }
      for row in 0..<count {
        sqlite3_bind_int64(statement, 1, Int64(row + 7))
        sqlite3_bind_int64(statement, 2, Int64(row + 1))
        try run(statement)
      }
    }
  }

  func delete(_ count: Int) throws {
    try inTransaction {
      let statement = try prepare("DELETE FROM ZSAMPLE WHERE Z_PK = ?")
      defer { sqlite3_finalize(statement) }
      for row in 0..<count {
        sqlite3_bind_int64(statement, 1, Int64(row + 1))
        try run(statement)
      }
    }
  }
}
