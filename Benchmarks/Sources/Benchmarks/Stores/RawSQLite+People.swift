import GRDBSQLite

/// Reads people, and prepares the translations of predicates on them.
extension RawSQLite {
  /// Reads the people with these names. Returns the sum of their ages.
  func readByName(_ names: [String]) throws -> Int64 {
    let statement = try prepare("SELECT Z_PK, Z_OPT, ZAGE, ZNAME FROM ZPERSON WHERE ZNAME = ?")
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var sum: Int64 = 0
    for name in names {
      sqlite3_bind_text(statement, 1, name, -1, transient)
      guard sqlite3_step(statement) == SQLITE_ROW else { throw Failure(description: "no \(name)") }
      sum &+= sqlite3_column_int64(statement, 2)
      _ = sqlite3_column_text(statement, 3).map { String(cString: $0) }
      sqlite3_reset(statement)
    }
    return sum
  }

  /// Prepares a statement repeatedly. The functions that it calls are declared without a body.
  func prepareAgain(_ sql: String, _ count: Int) throws {
    try declareFunction("perennial_beginswith", arguments: 3)
    for _ in 0..<count { sqlite3_finalize(try prepare(sql)) }
  }
}
