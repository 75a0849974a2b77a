import CSystemSQLite
import SQLiteDriver

/// A connection's information on the commits of other connections.
extension Database {
  /// A number that changes with each commit that the connection notices; `nil` where SQLite does not
  /// provide it. The numbers of two connections cannot be compared.
  var commitNumber: UInt32? {
    var number: UInt32 = 0
    let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &number)
    return code == SQLITE_OK ? number : nil
  }

  /// Reads from the database. The connection thereby notices commits, and a transaction begins its snapshot.
  func hearOfCommits() throws {
    try SQLiteQuery(SQLStatement(sql: "SELECT 1 FROM Z_METADATA"), in: self, isCached: true).run()
  }
}
