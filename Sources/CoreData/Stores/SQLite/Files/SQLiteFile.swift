import Files
import Foundation
import SQLiteDriver

/// The database of a store, with what SQLite and the store keep beside it.
struct SQLiteFile {
  let url: URL

  init(_ url: URL) {
    self.url = url
  }

  func noStore() -> any Error {
    StoreFailure.error(
      CocoaError.fileReadCorruptFile.rawValue,
      """
      \(url.path) is a SQLite database but no store of Core Data: it has no metadata in a table Z_METADATA; name \
      the store's own file.
      """,
      file: url
    )
  }

  /// The ends of the names of what SQLite keeps beside a database.
  static let logSuffixes = ["-wal", "-shm", "-journal"]

  /// True for the name of what SQLite keeps beside a database. Such a file must never be opened: closing
  /// it drops all locks that connections of this process have on it, and with them the order in
  /// which processes write.
  static func isLog(_ name: String) -> Bool { logSuffixes.contains(where: name.hasSuffix) }

  /// True when a file is a database, or was one before it was damaged. It is SQLite that looks:
  /// closing a file drops all locks that the process has on it, those of SQLite's own connections
  /// too, unless they are closed by SQLite. SQLite's documentation "How To Corrupt An SQLite
  /// Database File". Not for what SQLite keeps beside a database (``isLog(_:)``), which even SQLite
  /// does not know to be in use.
  ///
  /// - Parameter withTables: true when an empty one, as a destroyed store is, does not count.
  static func isDatabase(_ path: String, withTables: Bool = false) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, FileKind(status) == .regular, status.st_size > 0 else { return false }
    var configuration = SQLiteConfiguration.observed
    configuration.readonly = true
    do {
      let database = try SQLiteConnection(path: path, configuration: configuration)
      let count = try database.use { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
      try database.close()
      return !withTables || count != 0
    } catch let error as DatabaseError {
      return error.resultCode != .SQLITE_NOTADB
    } catch {
      return true
    }
  }

  /// Removes the store: the file, what SQLite keeps beside it, and its files of external data. One
  /// in memory goes when it is closed.
  ///
  /// - Throws: an error that names what is no regular file, of which nothing is removed, or the
  ///   file that cannot be removed.
  func remove() throws {
    if SQLiteMemory.isMeant(by: url) { return }
    if FileKind(behind: FilePlacing.folder(of: url.path)) == .nothing { return }
    let logs = Self.logSuffixes.map { url.path + $0 }
    try ([url.path] + logs).forEach(checkIsRemovable)
    try removeFile(url.path)
    // The database must not come back without what belongs to it when the power goes.
    try synchronizeFolder()
    // Somebody may have made a store there meanwhile, which needs its log.
    guard FileKind(at: url.path) == .nothing else { return }
    try logs.forEach(removeFile)
    ExternalDataFolder(store: url).removeAll()
    try synchronizeFolder()
  }

  private func synchronizeFolder() throws {
    do {
      try FilePlacing.synchronizeFolder(FilePlacing.folder(of: url.path))
    } catch {
      throw unremovable(url.path, error)
    }
  }

  /// Removes logs that another database of the name has left: SQLite would take them for those of
  /// the one that is put there.
  func removeStrayLogs() throws {
    let paths = Self.logSuffixes.map { url.path + $0 }
    try paths.forEach(checkIsRemovable)
    try paths.forEach(removeFile)
  }

  private func checkIsRemovable(_ path: String) throws {
    let kind = FileKind(at: path)
    if kind == .nothing || kind == .regular { return }
    throw StoreFailure.error(
      CocoaError.fileWriteUnknown.rawValue,
      "\(path) is \(kind.words) and no file of a store; it is not removed. Name the store's own file.",
      file: URL(fileURLWithPath: path)
    )
  }

  private func removeFile(_ path: String) throws {
    do {
      try FilePlacing.removeFile(path)
    } catch {
      throw unremovable(path, error)
    }
  }

  private func unremovable(_ path: String, _ error: any Error) -> any Error {
    StoreFailure.error(
      (error as? FileFailure)?.cocoaCode() ?? CocoaError.fileWriteNoPermission.rawValue,
      "\(path) cannot be removed: \(error.localizedDescription)",
      file: URL(fileURLWithPath: path),
      details: [NSUnderlyingErrorKey: error]
    )
  }
}

extension SQLiteFile {
  /// Takes everything out of the store, and leaves an empty database in its place: a file cannot be
  /// removed safely from under others that have it open, so that Apple's framework shortens it. It
  /// is made where there is none. What is no database is removed.
  ///
  /// - Parameter timeout: the time to wait for others that use the database, in seconds.
  func empty(timeout: TimeInterval) throws {
    if SQLiteMemory.isMeant(by: url) { return }
    // Where there is no folder there is nothing to destroy.
    if FileKind(behind: FilePlacing.folder(of: url.path)) == .nothing { return }
    try StoreFile(url).checkPlace(mustExist: false, isWritten: true)
    do {
      try emptyDatabase(timeout: timeout)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    {
      return try remove()
    } catch {
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be destroyed")
    }
    ExternalDataFolder(store: url).removeAll()
  }

  private func emptyDatabase(timeout: TimeInterval) throws {
    let configuration = SQLiteLockWait(timeout: timeout).configuration()
    let database = try SQLiteConnection(path: url.path, configuration: configuration)
    let nothing = try SQLiteConnection(configuration: .observed)
    try nothing.use { try $0.execute(sql: "PRAGMA auto_vacuum = 2; VACUUM") }
    try nothing.use { source in try database.use { try source.backUp(to: $0) } }
    try database.close()
  }
}
