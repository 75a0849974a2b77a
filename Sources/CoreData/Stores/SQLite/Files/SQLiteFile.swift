import Files
import Foundation
import SQLiteDriver

/// The database of a store, and the files that SQLite and the store keep next to it.
struct SQLiteFile {
  let url: URL

  init(_ url: URL) { self.url = url }

  func noStore() -> any Error {
    StoreFailure.corruptFile(
      """
      \(url.path) is a SQLite database but no store of Core Data: it has no metadata in a table Z_METADATA; name \
      the store's own file.
      """,
      file: url
    )
  }

  /// True when a file is a database, or was one before it was damaged. SQLite opens the file for this,
  /// because closing a file drops all locks that the process has on it, including those of SQLite's own
  /// connections, unless SQLite closes it. See
  /// <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>.
  /// Do not use it for the files that SQLite keeps next to a database (``StoreFile/isSQLiteLog(_:)``): SQLite itself
  /// does not know whether they are in use.
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

  /// Removes the store: the file, the files that SQLite keeps next to it, and its files of external
  /// data. A store in memory disappears when it is closed.
  ///
  /// - Throws: an error that names an item that is not a regular file, in which case nothing is removed,
  ///   or the file that cannot be removed.
  func remove() throws {
    if SQLiteMemory.isMeant(by: url) { return }
    if FileKind(resolving: FilePlacing.folder(of: url.path)) == .nothing { return }
    let logs = StoreFile.sqliteLogSuffixes.map { url.path + $0 }
    try ([url.path] + logs).forEach(checkIsRemovable)
    try removeFile(url.path)
    // The folder is synced, so that after a power failure the database cannot come back without its files.
    try synchronizeFolder()
    // Another program may have created a store there in the meantime, which needs its log.
    guard FileKind(at: url.path) == .nothing else { return }
    try logs.forEach(removeFile)
    ExternalDataFolder(store: url).removeAll()
    try synchronizeFolder()
  }

  private func synchronizeFolder() throws {
    do {
      try FilePlacing.synchronizeFolder(FilePlacing.folder(of: url.path))
    } catch {
      throw unremovable(url.path, error: error)
    }
  }

  /// Removes the logs of an earlier database with the same name, because SQLite would apply them to the new one:
  /// <https://www.sqlite.org/howtocorrupt.html>.
  func removeStrayLogs() throws {
    let paths = StoreFile.sqliteLogSuffixes.map { url.path + $0 }
    try paths.forEach(checkIsRemovable)
    try paths.forEach(removeFile)
  }

  private func checkIsRemovable(_ path: String) throws {
    let kind = FileKind(at: path)
    if kind == .nothing || kind == .regular { return }
    throw StoreFailure.error(
      CocoaError.fileWriteUnknown.rawValue,
      message:
        "\(path) is \(kind.words) and no file of a store; it is not removed. Name the store's own file.",
      file: URL(fileURLWithPath: path)
    )
  }

  private func removeFile(_ path: String) throws {
    do {
      try FilePlacing.removeFile(path)
    } catch {
      throw unremovable(path, error: error)
    }
  }

  private func unremovable(_ path: String, error: any Error) -> any Error {
    StoreFailure.error(
      (error as? FileFailure)?.cocoaCode() ?? CocoaError.fileWriteNoPermission.rawValue,
      message: "\(path) cannot be removed: \(error.localizedDescription)",
      file: URL(fileURLWithPath: path),
      details: [NSUnderlyingErrorKey: error]
    )
  }
}

extension SQLiteFile {
  /// Removes all content of the store, and leaves an empty database. A file cannot be removed safely
  /// while other connections have it open, which is why Apple's framework truncates it. If there is no
  /// file, an empty database is created. A file that is not a database is removed.
  ///
  /// - Parameter timeout: the time to wait for other connections to the database, in seconds.
  func empty(timeout: TimeInterval) throws {
    if SQLiteMemory.isMeant(by: url) { return }
    // Without a folder there is nothing to destroy.
    if FileKind(resolving: FilePlacing.folder(of: url.path)) == .nothing { return }
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
