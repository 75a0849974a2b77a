import CSystemSQLite

extension Database {
  /// Replaces the content of another database with a copy of this one: <https://www.sqlite.org/backup.html>.
  ///
  /// - Parameters:
  ///   - pageCount: the number of pages that are copied between two reports; `nil` for all.
  ///   - report: called with the number of pages that are copied. What it throws takes the copy back, unless all
  ///     pages are copied.
  package func backUp(
    to target: Database,
    pagesPerStep pageCount: Int32? = nil,
    _ report: (Int) throws -> Void = { _ in }
  ) throws {
    guard let backup = sqlite3_backup_init(target.sqliteConnection, "main", sqliteConnection, "main") else {
      throw target.failure(sqlite3_extended_errcode(target.sqliteConnection), sql: nil)
    }
    do {
      while true {
        let code = sqlite3_backup_step(backup, pageCount ?? -1)
        guard code == SQLITE_OK || code == SQLITE_DONE else { throw target.failure(code, sql: nil) }
        let copied = Int(sqlite3_backup_pagecount(backup) - sqlite3_backup_remaining(backup))
        if code == SQLITE_DONE {
          try? report(copied)
          break
        }
        try report(copied)
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw target.failure(code, sql: nil) }
  }
}
