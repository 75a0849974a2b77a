import CSystemSQLite
import Foundation

/// A column of a statement's current row, converted to the type that the model requires.
///
/// SQLite stores any kind of value in any column (<https://www.sqlite.org/flextypegood.html>), and other programs write
/// into stores. A value is converted if that loses nothing, and is an error otherwise.
struct SQLiteCell: SQLCell {
  // Not owned: it is the statement's, and valid until the statement moves on. A connection is used by one thread at a
  // time and has no lock of SQLite's own, so that SQLite's functions on values can be used here; those on columns look
  // for the statement's column, and for a lock, at each call.
  private let value: OpaquePointer
  let type: Int32

  @inline(__always)
  init(statement: OpaquePointer, column: Int32) {
    value = sqlite3_column_value(statement, column)
    type = sqlite3_value_type(value)
  }

  /// The value, converted to an integer by SQLite: <https://www.sqlite.org/c3ref/value_blob.html>.
  var int64: Int64 { sqlite3_value_int64(value) }

  /// The value, converted to a floating-point number by SQLite: <https://www.sqlite.org/c3ref/value_blob.html>.
  var double: Double { sqlite3_value_double(value) }

  var typeName: String {
    switch type {
    case SQLITE_INTEGER: "the number \(int64)"
    case SQLITE_FLOAT: "the number \(double)"
    case SQLITE_TEXT: "a text of \(sqlite3_value_bytes(value)) bytes"
    case SQLITE_BLOB: "\(sqlite3_value_bytes(value)) bytes of data"
    default: "nothing"
    }
  }

  var exactInteger: Int64? { type == SQLITE_INTEGER ? int64 : nil }

  var exactReal: Double? { type == SQLITE_FLOAT || type == SQLITE_INTEGER ? double : nil }

  var exactText: String? { type == SQLITE_TEXT ? columnText : nil }

  /// The text of a column that holds text; bytes that are not valid UTF-8 are replaced.
  private var columnText: String {
    guard let bytes = sqlite3_value_text(value) else { return "" }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
  }

  func integer() throws -> Int64 {
    switch type {
    case SQLITE_INTEGER: return int64
    case SQLITE_FLOAT:
      if let whole = Int64(exactly: double) { return whole }
    case SQLITE_TEXT:
      if let value = Int64(try text()) { return value }
    default: break
    }
    throw wanted("a whole number")
  }

  func real() throws -> Double {
    switch type {
    case SQLITE_INTEGER, SQLITE_FLOAT: return double
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
    return UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
  }

  func uuid() throws -> UUID {
    if type == SQLITE_TEXT, let uuid = UUID(uuidString: try text()) { return uuid }
    let bytes = try bytes()
    guard type == SQLITE_BLOB, bytes.count == 16 else { throw wanted("a UUID, which has 16 bytes") }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }

  func decimal() throws -> Decimal {
    switch type {
    case SQLITE_INTEGER: return Decimal(int64)
    case SQLITE_FLOAT:
      if let decimal = Decimal(shortest: double) { return decimal }
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
