import CSystemSQLite

extension Database {
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
    var blob: OpaquePointer?
    let code = sqlite3_blob_open(sqliteConnection, "main", table, column, row, 0, &blob)
    defer { sqlite3_blob_close(blob) }
    guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    return try body(Int(sqlite3_blob_bytes(blob))) { buffer in
      let code = sqlite3_blob_read(blob, buffer.baseAddress, Int32(buffer.count), 0)
      guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }
  }
}
