import Foundation
import GRDBSQLite

/// A column of the row that a statement stands on, read as what the model wants it to be.
///
/// SQLite keeps any kind of value in any column, and other programs write into stores: what can be
/// taken for the wanted kind without loss is, and the rest is an error.
struct SQLiteCell: SQLCell {
  // Not owned: whoever runs the statement makes the cell for one of its rows, and keeps the
  // statement until the row is read.
  let statement: OpaquePointer
  let column: Int32
  let type: Int32

  var typeName: String {
    switch type {
    case SQLITE_INTEGER: "the number \(sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: "the number \(sqlite3_column_double(statement, column))"
    case SQLITE_TEXT: "a text of \(sqlite3_column_bytes(statement, column)) bytes"
    case SQLITE_BLOB: "\(sqlite3_column_bytes(statement, column)) bytes of data"
    default: "nothing"
    }
  }

  var exactInteger: Int64? { type == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil }

  var exactReal: Double? {
    type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(statement, column) : nil
  }

  var exactText: String? { type == SQLITE_TEXT ? columnText : nil }

  /// The text of a column that holds text; bytes that are no UTF-8 are replaced.
  private var columnText: String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))),
      as: UTF8.self
    )
  }

  func integer() throws -> Int64 {
    switch type {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column)
    case SQLITE_FLOAT:
      if let value = Int64(exactly: sqlite3_column_double(statement, column)) { return value }
    case SQLITE_TEXT:
      if let value = Int64(try text()) { return value }
    default: break
    }
    throw wanted("a whole number")
  }

  func real() throws -> Double {
    switch type {
    case SQLITE_INTEGER, SQLITE_FLOAT: return sqlite3_column_double(statement, column)
    case SQLITE_TEXT:
      if let value = Double(try text()) { return value }
    default: break
    }
    throw wanted("a number")
  }

  func text() throws -> String {
    if type == SQLITE_BLOB {
      guard let text = String(bytes: try bytes(), encoding: .utf8) else { throw wanted("text") }
      return text
    }
    return columnText
  }

  /// The bytes of data or text, valid until the statement moves on.
  func bytes() throws -> UnsafeRawBufferPointer {
    guard type == SQLITE_BLOB || type == SQLITE_TEXT else { throw wanted("data") }
    return UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column),
      count: Int(sqlite3_column_bytes(statement, column))
    )
  }

  func uuid() throws -> UUID {
    if type == SQLITE_TEXT, let uuid = UUID(uuidString: try text()) { return uuid }
    let bytes = try bytes()
    guard type == SQLITE_BLOB, bytes.count == 16 else { throw wanted("a UUID, which has 16 bytes") }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  func decimal() throws -> Decimal {
    switch type {
    case SQLITE_INTEGER: return Decimal(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT:
      if let decimal = Decimal(shortest: sqlite3_column_double(statement, column)) { return decimal }
    case SQLITE_TEXT:
      if let decimal = Decimal(string: try text(), locale: nil) { return decimal }
    default: break
    }
    throw wanted("a decimal number")
  }

  func url() throws -> URL {
    guard type == SQLITE_TEXT, let url = URL(string: try text()) else { throw wanted("a URI") }
    return url
  }
}
