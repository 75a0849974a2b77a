import CSystemSQLite

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
    var blob: OpaquePointer?
    let code = sqlite3_blob_open(sqliteConnection, "main", table, column, row, 0, &blob)
    defer { sqlite3_blob_close(blob) }
    guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    let count = Int(sqlite3_blob_bytes(blob))
    // A damaged row may have any size, and its pages may follow each other in a circle.
    guard count <= (try size()) else { throw failure(SQLITE_CORRUPT, sql: nil) }
    return try body(count) { buffer in
      let code = sqlite3_blob_read(blob, buffer.baseAddress, Int32(buffer.count), 0)
      guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    }
  }
}
