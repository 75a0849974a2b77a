import SQLiteDriver

/// Data that a store attaches to one of its connections, for as long as it is open.
// Only the thread that uses the connection accesses its notes.
final class SQLiteConnectionNotes {
  /// Numbers of rows, of a connection that never writes.
  var counts = SQLiteCounts()
  /// The guard that has looked at the store last.
  private var checker: SQLiteSchemaGuard?
  /// The commit at which the file was last verified to be the one that was opened.
  private var checkedCommit: UInt32 = 0

  func isChecked(by checker: SQLiteSchemaGuard, at commit: UInt32) -> Bool {
    checkedCommit == commit && self.checker === checker
  }

  func wasChecked(by checker: SQLiteSchemaGuard, at commit: UInt32) {
    (self.checker, checkedCommit) = (checker, commit)
  }
}

extension Database {
  /// The notes of the connection.
  var connectionNotes: SQLiteConnectionNotes {
    if let notes = notes as? SQLiteConnectionNotes { return notes }
    let new = SQLiteConnectionNotes()
    notes = new
    return new
  }
}
