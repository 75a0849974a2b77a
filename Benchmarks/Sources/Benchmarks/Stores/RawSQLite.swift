import Foundation
import GRDBSQLite

/// Does the same work on the same file with SQLite's C API.
final class RawSQLite {
  private var database: OpaquePointer?

  /// - Parameter hasMutex: false for a connection that only one thread uses at a time, so that calls need no lock.
  init(_ path: String, hasMutex: Bool = true) throws {
    let threading = hasMutex ? SQLITE_OPEN_FULLMUTEX : SQLITE_OPEN_NOMUTEX
    guard
      sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | threading, nil)
        == SQLITE_OK
    else {
      throw Failure(description: "cannot open \(path)")
    }
    // GRDB uses the same setting for stores in WAL mode.
    try execute("PRAGMA synchronous = NORMAL")
  }

  deinit { sqlite3_close(database) }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The version of the SQLite library that all contenders of this program use.
  static var version: String { String(cString: sqlite3_libversion()) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Runs statements in one transaction.
  func inTransaction(_ body: () throws -> Void) throws {
    try execute("BEGIN IMMEDIATE")
    try body()
    try execute("COMMIT")
  }

  func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
    return statement
  }

  /// Calls the body with the statement for each row.
  func each(_ sql: String, _ body: (OpaquePointer?) throws -> Void) throws {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW { try body(statement) }
  }

  /// Runs a statement without result rows, and resets it for the next values.
  func run(_ statement: OpaquePointer?) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure("a statement that writes") }
    sqlite3_reset(statement)
  }

  /// Declares a function without a body, so that statements can call it.
  func declareFunction(_ name: String, arguments: Int32) throws {
    let code = sqlite3_create_function_v2(
      database,
      name,
      arguments,
      SQLITE_UTF8,
      nil,
      { _, _, _ in },
      nil,
      nil,
      nil
    )
    guard code == SQLITE_OK else { throw failure(name) }
  }

  func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }

  /// Adds the three columns of each group.
  func readGroups(_ sql: String) throws -> Int64 {
    var sum: Int64 = 0
    try each(sql) { row in
      for column in 0..<Int32(3) { sum &+= sqlite3_column_int64(row, column) }
    }
    return sum
  }

  /// - Returns: the metadata as a property list.
  @discardableResult
  func readSchemaAndMetadata() throws -> Data {
    var metadata = Data()
    try each("SELECT type, name, tbl_name, sql FROM sqlite_master") { _ = text($0, 3) }
    try each("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") { _ = text($0, 1) }
    try each("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA") { row in
      metadata = Data(bytes: sqlite3_column_blob(row, 2), count: Int(sqlite3_column_bytes(row, 2)))
    }
    return metadata
  }

  private func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(String(cString: sqlite3_errmsg(database)))")
  }
}
