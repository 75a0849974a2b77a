/// How many rows of a save one statement writes: SQLite takes a third less for several at once.
enum SQLiteRowsPerStatement {
  /// The rows of one statement that inserts.
  static let inserted = 16
  /// The rows of one statement that deletes.
  static let deleted = 64
  /// The limit of all SQLite versions before 3.32.0: <https://www.sqlite.org/limits.html#max_variable_number>.
  private static let mostParameters = 999
  /// The limit on the bytes of texts and data in one statement, which copies all of them.
  static let mostBytes = 256 * 1024

  /// The rows that one statement inserts, of so many columns.
  static func inserted(columns: Int) -> Int { max(1, min(inserted, mostParameters / max(columns, 1))) }
}
