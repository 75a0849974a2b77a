import Files
import Foundation
import GRDB

/// Finds out whether a state of a database can come back that was there before the last commit.
enum SQLiteCheckpoint {
  /// Brings the log into the file as far as readers allow, without waiting for them.
  ///
  /// - Returns: true when all of it is in the file and on the disk, which means too that nobody
  ///   reads an older state: a checkpoint never writes over pages that a reader needs. SQLite's
  ///   documentation of `sqlite3_wal_checkpoint_v2`.
  static func isComplete(in database: Database) throws -> Bool {
    guard let row = try GRDB.Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)") else {
      return false
    }
    let (busy, log, done): (Int, Int, Int) = (row[0], row[1], row[2])
    guard busy == 0, log == done else { return false }
    guard log < 0 else { return true }
    // Not in WAL mode: a commit waits for all readers, and is final when the journal's name is gone
    // from the disk.
    let path = try String.fetchOne(database, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    guard let path, !path.isEmpty else { return false }
    try FilePlacing.synchronizeFolder(FilePlacing.folder(of: path))
    return true
  }
}
