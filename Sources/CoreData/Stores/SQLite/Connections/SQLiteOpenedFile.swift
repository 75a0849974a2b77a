import CSystemSQLite
import Files
import Foundation
import SQLiteDriver
import Synchronization

/// The file that the connections of a store have open.
///
/// A file that is removed or renamed while it is open stays usable without its name, but writes to it are lost
/// with the last connection. So a writer checks first whether the store's path still leads to the file. A new
/// connection, which finds its file by the path, checks whether it opened the same file.
///
/// SQLite itself can tell whether a connection's file has moved (`SQLITE_FCNTL_HAS_MOVED`), with the same system
/// call: <https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html>. But it compares only the inode number,
/// which a file on another device may have too, and follows the symbolic links of the time when it was opened.
/// So it is only used for a connection that was just opened.
final class SQLiteOpenedFile: Sendable {
  let identity: FileIdentity
  private let file: URL
  private let path: String
  /// The path of the write-ahead log, in the folder of the file that symbolic links lead to.
  private let logPath: String
  /// The identity of the write-ahead log; `nil` if there is no log that must stay.
  private let log = Mutex<FileIdentity?>(nil)
  private let writeCount = Atomic<Int>(0)

  /// The number of write transactions between two checks of the log. If the log was removed in the meantime,
  /// their commits are in a log without a name, which closing the store copies into the file.
  static let transactionsBetweenLooksAtLog = 16

  /// Records the file that the first connection of a store has open.
  ///
  /// - Throws: an error when the file went away while it was opened.
  init(file: URL, connection: SQLiteConnection) throws {
    self.file = file
    path = file.path
    do {
      identity = try FileIdentity(resolving: path)
    } catch {
      throw Self.gone(file, error: error, consequence: "it could not be opened")
    }
    logPath = connection.use { database in
      sqlite3_filename_wal(sqlite3_db_filename(database.sqliteConnection, "main")).map { String(cString: $0) }
        ?? ""
    }
    try requireSame(connection)
  }

  /// Records the current log, which stays as long as a connection in WAL mode is open.
  func recordLog() {
    let found = try? FileIdentity(resolving: logPath)
    log.withLock { $0 = found }
  }

  /// The size of the write-ahead log in bytes; 0 if there is no log.
  var logSize: Int {
    var status = stat()
    return stat(logPath, &status) == 0 ? Int(status.st_size) : 0
  }

  /// True when the store's path no longer leads to the file.
  var isElsewhere: Bool { (try? FileIdentity(resolving: path)) != identity }

  // MARK: - Looking

  /// Called with the write lock, before anything is written.
  ///
  /// - Throws: an error with the remedy, when the store's path no longer leads to the file.
  func requireSame() throws {
    try requireFile("nothing was saved")
    let count = writeCount.wrappingAdd(1, ordering: .relaxed).newValue
    if count % Self.transactionsBetweenLooksAtLog == 0 { try requireLog("nothing was saved") }
  }

  /// Called before work outside of a transaction, such as shrinking the file, and to check whether the store can
  /// be written. The call only reports.
  ///
  /// - Throws: the same error.
  func requireUsable() throws {
    try requireFile("nothing can be saved")
    try requireLog("nothing can be saved")
  }

  /// Called in a transaction that has just taken the write lock. An error rolls it back.
  ///
  /// - Throws: the same error.
  func requireSame(in database: Database, lockWait: SQLiteLockWait) throws {
    do {
      try requireSame()
    } catch {
      try? database.rollback()
      // The log is emptied at once, because the program may end without closing the store.
      if isElsewhere { try? leaveLog(database, lockWait: lockWait) }
      throw error
    }
  }

  /// Called for a connection when its file is no longer at its path.
  func leaveLog(_ database: Database, lockWait: SQLiteLockWait) throws {
    try SQLiteLog.leave(database, at: path, lockWait: lockWait)
  }

  /// Called by the watchers for changes of other connections.
  ///
  /// - Throws: the same error.
  func requireWatched() throws {
    try requireFile("changes of it are not noticed any more")
    try requireLog("changes of it may not be noticed any more")
  }

  /// Opens a further connection to the file.
  ///
  /// - Throws: an error with the remedy, when the path leads to another file by now.
  func open(_ path: String, configuration: SQLiteConfiguration) throws -> SQLiteConnection {
    // This comes first, because opening creates missing files: an empty database, or an empty log.
    try requireFile(Self.isUnreachable)
    try requireLog(Self.isUnreachable)
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try requireFile(Self.isUnreachable)
    try requireSame(connection)
    return connection
  }

  private static let isUnreachable = "no further connection to it can be opened"

  /// Called when the path has just led to the file: a connection whose own file is elsewhere has opened another one.
  private func requireSame(_ connection: SQLiteConnection) throws {
    let hasMoved = connection.use { database in
      var hasMoved: Int32 = 0
      let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
      return code == SQLITE_OK && hasMoved != 0
    }
    if hasMoved { throw replaced(Self.isUnreachable) }
  }

  private func requireFile(_ consequence: String) throws {
    let current: FileIdentity
    do {
      current = try FileIdentity(resolving: path)
    } catch {
      throw Self.gone(file, error: error, consequence: consequence)
    }
    if current != identity { throw replaced(consequence) }
  }

  private func requireLog(_ consequence: String) throws {
    guard let known = log.withLock({ $0 }), (try? FileIdentity(resolving: logPath)) != known else { return }
    throw StoreFailure.error(
      CocoaError.fileNoSuchFile.rawValue,
      message: """
        \(logPath), the write-ahead log of \(path), was removed or replaced by another program since the store was \
        opened; \(consequence). Remove the store from the coordinator, which brings what was saved before into its file, \
        and add it again.
        """,
      file: file
    )
  }

  // MARK: - Errors

  private static func gone(_ file: URL, error: any Error, consequence: String) -> any Error {
    let failure = error as? FileFailure
    let isThere = failure.map { $0.code != ENOENT && $0.code != ENOTDIR } ?? true
    let reason =
      isThere
      ? "cannot be looked at any more (\(error.localizedDescription))"
      : "was removed or moved by another program"
    return StoreFailure.error(
      failure?.cocoaCode() ?? CocoaError.fileNoSuchFile.rawValue,
      message: """
        \(file.path) \(reason) since the store was opened; \(consequence). Bring the file back to its place, or remove \
        the store from the coordinator and add it again, which makes a new one where there is none.
        """,
      file: file,
      details: [NSUnderlyingErrorKey: error]
    )
  }

  private func replaced(_ consequence: String) -> any Error {
    StoreFailure.incompatibleSchema(
      """
      \(path) was replaced by another file since the store was opened; \(consequence). Remove the store from the \
      coordinator and add it again to go on with the file that is there now.
      """,
      file: file
    )
  }
}
