/// The file names that stores of every type leave to SQLite: SQLite takes a file of such a name for its own, and
/// overwrites or removes it.
extension StoreFile {
  /// The suffixes of the files that SQLite keeps next to a database: <https://www.sqlite.org/tempfiles.html>.
  static let sqliteLogSuffixes = ["-wal", "-shm", "-journal"]

  /// True for the name of a file that SQLite keeps next to a database. Such a file must never be opened,
  /// because closing it drops all locks that connections of this process have on it. Without the locks,
  /// two processes could write at once:
  /// <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>.
  static func isSQLiteLog(_ name: String) -> Bool { sqliteLogSuffixes.contains(where: name.hasSuffix) }
}
