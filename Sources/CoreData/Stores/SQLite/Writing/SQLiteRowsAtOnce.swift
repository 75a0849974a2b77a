/// How many rows of a save one statement writes: SQLite takes a third less for several at once.
enum SQLiteRowsAtOnce {
  /// The rows of one statement that inserts.
  static let inserted = 16
  /// The rows of one statement that deletes.
  static let deleted = 64
  /// What SQLite has had room for since long before the versions that stores are used with.
  private static let mostParameters = 999
  /// The bytes of texts and data that are given to one statement, which has copies of all of them.
  static let mostBytes = 256 * 1024

  /// The rows that one statement inserts, of so many columns.
  static func inserted(columns: Int) -> Int { max(1, min(inserted, mostParameters / max(columns, 1))) }
}
