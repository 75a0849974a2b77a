import Foundation
import GRDBSQLite
import Samples

/// SQLite's C API, doing the same work on the same file.
final class RawSQLite {
  private var database: OpaquePointer?
  private static let columns = (0..<10).map { "ZA\($0)" }.joined(separator: ", ")

  init(_ path: String) throws {
    guard sqlite3_open(path, &database) == SQLITE_OK else {
      throw Failure(description: "cannot open \(path)")
    }
    // As GRDB sets it for stores in WAL mode.
    try execute("PRAGMA synchronous = NORMAL")
  }

  deinit { sqlite3_close(database) }

  struct Failure: Error, CustomStringConvertible { let description: String }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Failure(description: "\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(description: "\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
    return statement
  }

  /// Steps through all rows and adds up all values.
  func readAll() throws -> Int64 {
    let statement = try prepare("SELECT Z_PK, Z_OPT, \(Self.columns) FROM ZSAMPLE")
    defer { sqlite3_finalize(statement) }
    var sum: Int64 = 0
    while sqlite3_step(statement) == SQLITE_ROW {
      for column in 2..<Int32(12) { sum &+= sqlite3_column_int64(statement, column) }
    }
    return sum
  }

  /// Adds up the three columns of each group.
  func readGroups(_ sql: String) throws -> Int64 {
    var sum: Int64 = 0
    try each(sql) { row in
      for column in 0..<Int32(3) { sum &+= sqlite3_column_int64(row, column) }
    }
    return sum
  }

  func readByKey(_ keys: [Int64]) throws -> Int64 {
    let statement = try prepare("SELECT Z_PK, Z_OPT, \(Self.columns) FROM ZSAMPLE WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    var sum: Int64 = 0
    for key in keys {
      sqlite3_bind_int64(statement, 1, key)
      if sqlite3_step(statement) == SQLITE_ROW {
        for column in 2..<Int32(12) { sum &+= sqlite3_column_int64(statement, column) }
      }
      sqlite3_reset(statement)
    }
    return sum
  }

  /// Prepares a statement again and again; the functions that it calls are there in name only.
  func prepareAgain(_ sql: String, _ count: Int) throws {
    sqlite3_create_function_v2(
      database,
      "perennial_beginswith",
      3,
      SQLITE_UTF8,
      nil,
      { _, _, _ in },
      nil,
      nil,
      nil
    )
    for _ in 0..<count { sqlite3_finalize(try prepare(sql)) }
  }

  func readByName(_ names: [String]) throws {
    let statement = try prepare("SELECT Z_PK, Z_OPT, ZAGE, ZNAME FROM ZPERSON WHERE ZNAME = ?")
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for name in names {
      sqlite3_bind_text(statement, 1, name, -1, transient)
      guard sqlite3_step(statement) == SQLITE_ROW else { throw Failure(description: "no \(name)") }
      _ = sqlite3_column_int64(statement, 2)
      _ = sqlite3_column_text(statement, 3).map { String(cString: $0) }
      sqlite3_reset(statement)
    }
  }

  /// Reads all notes, categories and tags, and puts them together by key; answers the number of tags.
  func walk() throws -> Int {
    var categories: [Int64: String] = [:]
    try each(NoteStore.categoryQuery) { categories[sqlite3_column_int64($0, 0)] = text($0, 2) }
    var tags: [Int64: [String]] = [:]
    try each(NoteStore.tagQuery) { tags[sqlite3_column_int64($0, 0), default: []].append(text($0, 3)) }
    var count = 0
    try each(NoteStore.noteQuery) { statement in
      _ = text(statement, 3)
      guard categories[sqlite3_column_int64(statement, 2)] != nil else { return }
      count += tags[sqlite3_column_int64(statement, 0)]?.count ?? 0
    }
    return count
  }

  /// The same, with queries for each note's tags and each category.
  func walkOneByOne(_ limit: Int) throws -> Int {
    let category = try prepare(NoteStore.categoryQuery + " WHERE Z_PK = ?")
    let tags = try prepare(NoteStore.tagQuery + " WHERE j.Z_2NOTES = ?")
    defer { for statement in [category, tags] { sqlite3_finalize(statement) } }
    var known: [Int64: String] = [:]
    var count = 0
    try each(NoteStore.noteQuery + " LIMIT \(limit)") { note in
      _ = text(note, 3)
      let key = sqlite3_column_int64(note, 2)
      if known[key] == nil { step(category, key) { known[key] = text($0, 2) } }
      step(tags, sqlite3_column_int64(note, 0)) { if !text($0, 3).isEmpty { count += 1 } }
    }
    return count
  }

  private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }

  private func each(_ sql: String, _ body: (OpaquePointer?) throws -> Void) throws {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW { try body(statement) }
  }

  private func step(_ statement: OpaquePointer?, _ key: Int64, _ body: (OpaquePointer?) -> Void) {
    sqlite3_bind_int64(statement, 1, key)
    while sqlite3_step(statement) == SQLITE_ROW { body(statement) }
    sqlite3_reset(statement)
  }

  func readSchemaAndMetadata() throws {
    try each("SELECT type, name, tbl_name, sql FROM sqlite_master") { _ = text($0, 3) }
    try each("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA") { _ = sqlite3_column_bytes($0, 2) }
    try each("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") { _ = text($0, 1) }
  }

  func insert(_ count: Int, from first: Int = 0) throws {
    try execute("BEGIN IMMEDIATE")
    let marks = Array(repeating: "?", count: 13).joined(separator: ", ")
    let statement = try prepare("INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, \(Self.columns)) VALUES (\(marks))")
    defer { sqlite3_finalize(statement) }
    for row in first..<first + count {
      sqlite3_bind_int64(statement, 1, Int64(row + 1))
      sqlite3_bind_int64(statement, 2, 1)
      sqlite3_bind_int64(statement, 3, 1)
      for column in 0..<10 { sqlite3_bind_int64(statement, Int32(column + 4), Sample.value(row, column)) }
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }

  func update(_ count: Int) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("UPDATE ZSAMPLE SET ZA0 = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    for row in 0..<count {
      sqlite3_bind_int64(statement, 1, Int64(row))
      sqlite3_bind_int64(statement, 2, Int64(row + 1))
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }

  func delete(_ count: Int) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("DELETE FROM ZSAMPLE WHERE Z_PK = ?")
    defer { sqlite3_finalize(statement) }
    for row in 0..<count {
      sqlite3_bind_int64(statement, 1, Int64(row + 1))
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }
}
