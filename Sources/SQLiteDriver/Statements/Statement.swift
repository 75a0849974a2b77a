import CSystemSQLite

/// A statement that a connection has prepared.
///
/// It belongs to its connection: the thread that has the connection uses it.
package final class Statement {
  package let sqliteStatement: OpaquePointer
  /// Kept alive: SQLite's callbacks go to the database as long as a statement of it can run.
  package let database: Database

  /// Takes ownership of a statement, and finalizes it.
  init(_ sqliteStatement: OpaquePointer, of database: Database) {
    self.sqliteStatement = sqliteStatement
    self.database = database
  }

  // A connection that was closed in the meantime is a "zombie", which SQLite frees with its last
  // statement: <https://www.sqlite.org/c3ref/close.html>.
  deinit { sqlite3_finalize(sqliteStatement) }

  /// The statement as it was prepared.
  package var sql: String { sqlite3_sql(sqliteStatement).map { String(cString: $0) } ?? "" }

  /// The number of values that the statement takes.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(sqliteStatement)) }

  /// Binds copies of values. Each replaces the value that was bound before.
  ///
  /// - Throws: an error when they are not as many as the statement takes.
  func bind(_ arguments: some Collection<any DatabaseValueConvertible>) throws {
    sqlite3_reset(sqliteStatement)
    sqlite3_clear_bindings(sqliteStatement)
    guard arguments.count == parameterCount else { throw Self.wrongCount(arguments.count, sql: sql) }
    for (index, argument) in zip(Int32(1)..., arguments) {
      let code = argument.databaseValue.bind(to: sqliteStatement, at: index)
      guard code == SQLITE_OK else { throw database.failure(code, sql: sql) }
    }
  }

  static func wrongCount(_ count: Int, sql: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "wrong number of statement arguments: \(count)", sql: sql)
  }

  /// Runs the statement to its end with its bindings.
  package func execute() throws { while try step() {} }

  /// Runs the statement to its next row.
  ///
  /// - Returns: false at the end, where the statement can be run again.
  /// - Throws: the error of the statement, which can then be run again, too.
  func step() throws -> Bool {
    switch sqlite3_step(sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(sqliteStatement)
      return false
    case let code:
      let failure = database.failure(code, sql: sql)
      sqlite3_reset(sqliteStatement)
      throw failure
    }
  }

  /// The values of the row that the statement stands on.
  var values: [DatabaseValue] {
    (0..<sqlite3_column_count(sqliteStatement)).map {
      DatabaseValue(sqlite3_column_value(sqliteStatement, $0))
    }
  }

  var columnNames: [String] {
    (0..<sqlite3_column_count(sqliteStatement)).map {
      sqlite3_column_name(sqliteStatement, $0).map { String(cString: $0) } ?? ""
    }
  }
}
