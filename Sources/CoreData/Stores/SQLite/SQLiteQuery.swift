import CSystemSQLite
import Foundation
import SQLiteDriver

/// Runs statements that are values.
struct SQLiteQuery {
  let database: Database
  let statement: Statement
  // Belongs to the statement, which the query keeps alive.
  private let raw: OpaquePointer

  /// - Parameter isCached: true when the statement will be repeated, so that it is worth keeping it prepared.
  init(_ query: SQLStatement, in database: Database, isCached: Bool) throws {
    let statement = isCached ? try database.cachedStatement(sql: query.sql) : try database.makeStatement(sql: query.sql)
    try self.init(statement: statement, bindings: query.bindings, in: database)
  }

  /// - Parameter statement: one that the database has prepared.
  init(statement: Statement, bindings: [SQLValue], in database: Database) throws {
    self.database = database
    self.statement = statement
    raw = statement.sqliteStatement
    sqlite3_reset(raw)
    for (index, value) in bindings.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Replaces a bound value before the statement runs again.
  ///
  /// - Parameter index: the number of the placeholder, from 1 up.
  func bind(_ value: SQLValue, at index: Int32) throws { try check(Self.bind(value, to: raw, at: index)) }

  /// Runs the statement and calls back for each row.
  func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
    defer { sqlite3_reset(raw) }
    while true {
      switch sqlite3_step(raw) {
      case SQLITE_ROW: try body(raw)
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// Runs a statement without a result.
  ///
  /// - Returns: the number of rows that it changed.
  @discardableResult
  func run() throws -> Int {
    try forEachRow { _ in }
    return Int(sqlite3_changes(database.sqliteConnection))
  }

  /// The number of steps that SQLite's machine took since it was asked last.
  func steps() -> Int {
    // SQLite counts without a sign, and answers with one.
    Int(UInt32(bitPattern: sqlite3_stmt_status(raw, SQLITE_STMTSTATUS_VM_STEP, 1)))
  }

  /// The first column of the first row.
  func integer() throws -> Int64? {
    defer { sqlite3_reset(raw) }
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return sqlite3_column_type(raw, 0) == SQLITE_NULL ? nil : sqlite3_column_int64(raw, 0)
    case SQLITE_DONE: return nil
    case let code: throw failure(code)
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> any Error { database.failure(code, sql: statement.sql) }

  static func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let value): DatabaseValue.bind(value, to: statement, at: index)
    case .blob(let value): DatabaseValue.bind(value, to: statement, at: index)
    }
  }
}

/// The current row of a statement.
struct SQLiteRow: SQLResultRow {
  // Not owned: the code that runs the statement creates the row, and keeps the statement until the row has been read.
  let statement: OpaquePointer

  func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  func cell(_ column: Int32) -> SQLiteCell? {
    let cell = SQLiteCell(statement: statement, column: column)
    return cell.type == SQLITE_NULL ? nil : cell
  }
}

/// A connection as a reader uses it.
struct SQLiteQueryConnection: SQLQueryConnection {
  let database: Database

  func count(_ statement: SQLStatement) throws -> Int64 {
    let keepsCounts = database.configuration.readonly
    if keepsCounts, let known = try database.connectionNotes.counts.number(of: statement, in: database) {
      return known
    }
    let held = try database.prepared(statement, isCounted: true)
    let query = try SQLiteQuery(statement: held, bindings: statement.bindings, in: database)
    _ = query.steps()
    let number = try query.integer() ?? 0
    if keepsCounts {
      let effort = query.steps() + Int(number)
      database.connectionNotes.counts.keep(number, of: statement, effort: effort, in: database)
    }
    return number
  }

  /// In a transaction, unless there is one already.
  func together<Value>(_ body: () throws -> Value) throws -> Value {
    if database.isInsideTransaction { return try body() }
    return try database.inTransaction(.deferred) { try body() }
  }

  func forEachRow(of statement: SQLStatement, preparation: SQLPreparation, _ body: (SQLiteRow) throws -> Void) throws {
    let held =
      switch preparation {
      case .held: try database.prepared(statement, isCounted: false)
      case .heldIfFew: try database.prepared(statement, isCounted: true)
      case .once, .inParts: try database.makeStatement(sql: statement.sql)
      }
    try SQLiteQuery(statement: held, bindings: statement.bindings, in: database).forEachRow {
      try body(SQLiteRow(statement: $0))
    }
  }
}
