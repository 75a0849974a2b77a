package import CSystemSQLite
package import Foundation

/// A value that SQLite keeps.
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// Copies the value of an argument of a function, or of a column that a statement stands on.
  init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // The text first: SQLite converts it, and the number of bytes is that of the result.
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob(Data(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: self = .null
    }
  }

  /// Binds a copy of the value.
  ///
  /// - Returns: SQLite's code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let text): Self.bind(text, to: statement, at: index)
    case .blob(let data): Self.bind(data, to: statement, at: index)
    }
  }

  /// The value by which SQLite copies its argument before the call returns:
  /// <https://www.sqlite.org/c3ref/c_static.html>.
  // The constant -1 cast to a function, as SQLite's header has it. It is never called.
  package static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  package static func bind(_ text: String, to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      // An empty buffer may have no address, which SQLite would treat as null.
      guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, transient) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(statement, index, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  package static func bind(_ data: Data, to statement: OpaquePointer, at index: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
    }
  }

  /// Makes the value the result of a function.
  func become(resultOf context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var text):
      text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return sqlite3_result_text(context, "", 0, Self.transient) }
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_result_text64(context, $0, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), Self.transient)
      }
    }
  }
}

extension DatabaseValue: CustomStringConvertible {
  /// The value as SQL writes it.
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let data): "x'\(data.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}
