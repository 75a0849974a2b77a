import CSystemSQLite
package import Foundation

extension Database {
  /// The size of the database in bytes.
  private func size() throws -> Int {
    let pageCount = try Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0
    return pageCount * (try Int.fetchOne(self, sql: "PRAGMA page_size") ?? 0)
  }

  /// Reads data that a column of a row holds, without a copy of all of it in SQLite's memory:
  /// <https://www.sqlite.org/c3ref/blob_open.html>.
  ///
  /// - Parameters:
  ///   - row: the row's `rowid`.
  ///   - body: receives the number of bytes, and a function that fills a buffer of that size.
  package func withBlob<Result>(
    table: String,
    column: String,
    row: Int64,
    _ body: (_ count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Result
  ) throws -> Result {
    try openBlob(table: table, column: column, row: row, isWritten: false) { blob in
      let count = Int(sqlite3_blob_bytes(blob))
      // A damaged row may have any size, and its pages may follow each other in a circle.
      guard count <= (try size()) else { throw failure(SQLITE_CORRUPT, sql: nil) }
      return try body(count) { buffer in
        let code = sqlite3_blob_read(blob, buffer.baseAddress, Int32(buffer.count), 0)
        guard code == SQLITE_OK else { throw failure(code, sql: nil) }
      }
    }
  }

  /// Replaces data that a column of a row holds. SQLite makes no copy of it, unlike of the value of a statement.
  ///
  /// - Parameters:
  ///   - data: as many bytes as the column holds.
  ///   - row: the row's `rowid`.
  package func writeBlob(_ data: Data, table: String, column: String, row: Int64) throws {
    try openBlob(table: table, column: column, row: row, isWritten: true) { blob in
      guard data.count == Int(sqlite3_blob_bytes(blob)) else { throw failure(SQLITE_MISMATCH, sql: nil) }
      let code = data.withUnsafeBytes { sqlite3_blob_write(blob, $0.baseAddress, Int32($0.count), 0) }
      guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }
  }

  private func openBlob<Result>(
    table: String,
    column: String,
    row: Int64,
    isWritten: Bool,
    _ body: (OpaquePointer?) throws -> Result
  ) throws -> Result {
    var blob: OpaquePointer?
    let code = sqlite3_blob_open(sqliteConnection, "main", table, column, row, isWritten ? 1 : 0, &blob)
    defer { sqlite3_blob_close(blob) }
    guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    return try body(blob)
  }
}
