import Files
import Foundation
import SQLiteDriver

/// The files that connections which only read leave next to a database in WAL mode.
///
/// SQLite makes a write-ahead log and its index for each connection, and removes them with the last one that
/// can write: <https://www.sqlite.org/walformat.html>. A program that only reads leaves both.
package struct SQLiteReadTraces {
  /// The database, at the end of all symbolic links; `nil` where nothing is to be removed.
  private let path: String?

  /// Looks which files there are. Called before the first connection to a database.
  package init(of file: URL) {
    let path = file.resolvingSymlinksInPath().path
    let isUntouched = Self.files(of: path).allSatisfy { FileKind(at: $0) == .nothing }
    self.path = !SQLiteMemory.isMeant(by: file) && FileKind(at: path) == .regular && isUntouched ? path : nil
  }

  /// Has SQLite remove the files that were not there before. Called after the last connection was closed.
  ///
  /// They stay while another process uses the database, and where it has written to the log.
  package func remove() {
    guard let path, Self.files(of: path).contains(where: { FileKind(at: $0) == .regular }),
      Self.isEmpty(path + "-wal"), FileManager.default.isWritableFile(atPath: path),
      FileManager.default.isWritableFile(atPath: FilePlacing.folder(of: path)),
      let address = SQLiteConnections.address(path, parameter: "mode=rw")
    else { return }
    // The files do no harm. So an error, such as that of a database in use, leaves them.
    try? Self.close(address)
  }

  /// Opens and closes the database by a connection that could write: SQLite removes an empty log then, and
  /// writes nothing into the database.
  private static func close(_ address: String) throws {
    let configuration = SQLiteLockWait(timeout: 0).configuration()
    let connection = try SQLiteConnection(path: address, configuration: configuration)
    let outcome = Result {
      try connection.use { _ = try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
    }
    try connection.close()
    try outcome.get()
  }

  private static func files(of path: String) -> [String] { [path + "-wal", path + "-shm"] }

  /// True for a log without a change. It is only looked at: closing it would drop SQLite's locks.
  private static func isEmpty(_ log: String) -> Bool {
    var status = stat()
    return stat(log, &status) == 0 ? status.st_size == 0 : errno == ENOENT
  }
}
