import CSystemSQLite
import Files
import Foundation
import SQLiteDriver

/// Replaces the content of a store by that of another database, in one transaction of the store's own file.
///
/// A file that other connections may have open is never replaced by a rename, because their later
/// commits would go into a file without a name, and be lost. SQLite's backup writes the pages into the
/// file under its write lock: <https://www.sqlite.org/c3ref/backup_finish.html>. Other connections
/// therefore see the old or the new content, and after a power failure the file has the old one.
struct SQLiteReplacement {
  let file: URL
  /// The time to wait for other connections to the database, in seconds.
  let timeout: TimeInterval

  /// Replaces the content by that of another store.
  func run(with source: SQLiteFile) throws {
    try StoreFile(source.url).checkPlace(mustExist: true, isWritten: false)
    let folders = (ExternalDataFolder(store: source.url), ExternalDataFolder(store: file))
    if folders.0.support.standardizedFileURL == folders.1.support.standardizedFileURL {
      throw StoreFailure.fileExists(
        """
        \(file.path) and \(source.url.path) have one folder for their files of large data, so that neither can be \
        put in the place of the other; move one of them to another folder first.
        """,
        file: file
      )
    }
    let copy = SQLiteFile(file).temporaryPlace
    defer { try? copy.remove() }
    try source.copy(to: copy, timeout: timeout)
    if try isDatabase() { try run(with: copy.url, contentOf: source) { true } } else { try rename(copy.url) }
  }

  /// Removes permissions on the destination file from users who may not read the source.
  func limitPermissions(to source: SQLiteFile) throws {
    guard let permissions = FilePermissions(resolving: source.url.path) else { return }
    try forEachFile { try permissions.limit(fileAt: $0) }
  }

  /// Removes permissions that the file of the content's origin does not grant. The group of the store may belong to a
  /// service that has to read and write the restored store: see ``FilePermissions/holding(contentOf:)``.
  ///
  /// A user who may write the store without owning it restores it with its present permissions.
  private func limitPermissions(toContentOf source: FilePermissions) throws {
    guard let permissions = FilePermissions(resolving: file.path)?.holding(contentOf: source) else { return }
    try forEachFile { path in
      do {
        try permissions.limit(fileAt: path)
      } catch let failure as FileFailure where failure.code == EPERM {
        return
      }
    }
  }

  /// Does some work for the path of the database and of each file that SQLite keeps next to it. SQLite creates these
  /// with the permissions that the database had when it was opened.
  private func forEachFile(_ work: (String) throws -> Void) throws {
    let path = file.resolvingSymlinksInPath().path
    try work(path)
    for suffix in StoreFile.sqliteLogSuffixes where FileKind(at: path + suffix) == .regular { try work(path + suffix) }
  }

  /// True when SQLite can write into the existing file: a database, or an empty file, which becomes one.
  private func isDatabase() throws -> Bool {
    try StoreFile(file).checkPlace(mustExist: true, isWritten: true)
    let size = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.size]
    return (size as? NSNumber)?.intValue == 0 || SQLiteFile.isDatabase(file.resolvingSymlinksInPath().path)
  }

  /// Renames the copy over a file that is not a database, and that no store can have open.
  private func rename(_ copy: URL) throws {
    let (old, new) = (ExternalDataFolder(store: file), ExternalDataFolder(store: copy))
    let copied = try new.copy(to: old)
    do {
      try SQLiteFile(file).removeStrayLogs()
      try FilePlacing.replace(file.path, with: copy.path)
    } catch {
      // After the rename the copy is the store, even if a later step has failed.
      if FileKind(at: copy.path) != .nothing { old.remove(copied) }
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be replaced")
    }
  }

  /// Holds the store's write lock from before some work is done until its result is in place.
  ///
  /// - Parameters:
  ///   - result: the place where the work creates the store that replaces this one. The caller removes it.
  ///   - original: the store that the content is of, where that is another one: its permissions count then.
  ///   - work: creates the other database, or returns `false` when nothing is to be replaced. Other connections can
  ///     read meanwhile, but not write.
  func run(with result: URL, contentOf original: SQLiteFile? = nil, after work: () throws -> Bool) throws {
    let (old, new) = (ExternalDataFolder(store: file), ExternalDataFolder(store: result))
    let former = old.names
    var copied: [String] = []
    var isWritten = false
    do {
      let target = try open(file)
      defer { try? target.close() }
      try target.use { database in
        let source = try prepare(database, result: result)
        defer { try? source.close() }
        try source.use { content in
          let backup = try SQLiteBackup(from: content, to: database, timeout: timeout)
          try backup.lock()
          guard try work() else { return }
          let permissions = original.flatMap { FilePermissions(resolving: $0.url.path) }
          copied = try new.copy(to: old, as: permissions.flatMap { old.permissions?.holding(contentOf: $0) })
          // Last: a store that is not replaced keeps its own.
          if let permissions { try limitPermissions(toContentOf: permissions) }
          // If a later step fails, the change may be on the disk all the same.
          isWritten = true
          try backup.finish()
        }
        if !isWritten { return }
        SQLiteChangeWatcher.fileWasWritten(file)
        // A file with a name that both stores use stays. If the names cannot be read, all files stay.
        guard old.sharers.isEmpty, (try? SQLiteCheckpoint.isComplete(in: database)) == true,
          let names = try? new.readNames()
        else { return }
        old.remove(former.filter { !names.contains($0) })
      }
    } catch {
      if !isWritten { old.remove(copied) }
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be replaced")
    }
  }

  private func open(_ file: URL) throws -> SQLiteConnection {
    try SQLiteConnection(path: file.path, configuration: SQLiteLockWait(timeout: timeout).configuration())
  }

  /// Opens the place of the result. A missing or empty file becomes a database without tables, because the backup of
  /// an empty file would end at once.
  private func prepare(_ database: Database, result: URL) throws -> SQLiteConnection {
    // In another mode the lock would keep the work from reading.
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
    if FileKind(at: result.path) == .nothing { try FilePlacing.makeFile(result.path, withModeOf: file.path) }
    let source = try open(result)
    try source.use { content in
      if try Int.fetchOne(content, sql: "PRAGMA page_count") == 0 {
        try content.execute(
          sql: """
            PRAGMA page_size = \(size); PRAGMA auto_vacuum = 2;
            CREATE TABLE empty (empty); DROP TABLE empty
            """
        )
      } else if try Int.fetchOne(content, sql: "PRAGMA page_size") != size {
        // A database in WAL mode accepts only pages of its own size.
        try content.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
      }
    }
    return source
  }
}

/// SQLite's backup of one database into another, step by step.
private final class SQLiteBackup {
  // Made and finished by the backup, at the latest in `deinit`; `nil` once it is finished.
  private var handle: OpaquePointer?
  // Not owned. Both databases stay open, each in its queue, until the backup ends.
  private let target: OpaquePointer
  private let deadline: Date

  init(from source: Database, to target: Database, timeout: TimeInterval) throws {
    guard let connection = target.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    self.target = connection
    deadline = Date(timeIntervalSinceNow: timeout)
    handle = sqlite3_backup_init(connection, "main", source.sqliteConnection, "main")
    if handle == nil { throw failure(sqlite3_errcode(connection)) }
  }

  /// Rolls back an unfinished backup.
  deinit { if let handle { sqlite3_backup_finish(handle) } }

  /// Takes the target's write lock, and copies nothing yet.
  func lock() throws { try step(0, until: SQLITE_OK) }

  /// Copies all pages, and commits.
  func finish() throws {
    try step(-1, until: SQLITE_DONE)
    let code = sqlite3_backup_finish(handle)
    handle = nil
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func step(_ pages: Int32, until wanted: Int32) throws {
    while true {
      let code = sqlite3_backup_step(handle, pages)
      if code == wanted { return }
      guard code == SQLITE_BUSY || code == SQLITE_LOCKED, Date() < deadline else { throw failure(code) }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errstr(code)))
  }
}
