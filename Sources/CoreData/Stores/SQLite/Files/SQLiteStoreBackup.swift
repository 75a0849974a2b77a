import Files
import Foundation
import SQLiteDriver

/// Writes the state of one moment of a SQLite store into a file.
///
/// SQLite's backup restarts each time that another connection writes, unless its source is in a read transaction of its
/// own: then it copies the transaction's snapshot, and in WAL mode no writer waits for it
/// (<https://www.sqlite.org/c3ref/backup_finish.html>). `VACUUM INTO` would also copy one snapshot, but it rebuilds all
/// tables and indexes, and does not sync the file to the disk (<https://www.sqlite.org/lang_vacuum.html>).
///
/// The transaction stays open while files of external data are copied, because no commit removes a file
/// while a reader sees a state that names it (``SQLiteConnections/removeReleasedFiles(_:)``).
struct SQLiteStoreBackup {
  let connections: SQLiteConnections
  let place: BackupDestination
  /// The time to wait for readers of an earlier backup that is replaced, in seconds.
  let timeout: TimeInterval

  private var file: URL { connections.file }

  /// The number of pages between two reports of the progress.
  private static let pagesPerStep: Int32 = 1024

  /// The parts of a backup that is not in its place yet.
  private struct Content {
    let date: Date
    let byteCount: Int64
    let fileCount: Int
  }

  func run() throws -> StoreBackup {
    do {
      let identifier = try connections.read { try readIdentifier($0) }
      let isReplacing = try holdsBackup(identifier)
      let target = SQLiteFile(place.url)
      if isReplacing { try target.checkFolderIsFree() } else { try target.checkIsFree() }
      let temporary = target.temporaryPlace
      // After the rename there is no temporary file to remove.
      defer { try? temporary.remove() }
      let content = try connections.readAtLength { try write($0, to: temporary) }
      if isReplacing {
        // The replacement holds the write lock of the existing store, because another program may have
        // created one there in the meantime.
        try SQLiteReplacement(file: place.url, timeout: timeout).run(with: temporary.url) {
          guard try holdsBackup(identifier) else { throw wasRemoved }
          try SQLiteReplacement(file: place.url, timeout: timeout).limitPermissions(to: SQLiteFile(file))
          return true
        }
      } else {
        try put(temporary, at: target)
      }
      place.end()
      return StoreBackup(
        url: place.url,
        identifier: identifier,
        date: content.date,
        byteCount: content.byteCount,
        externalFileCount: content.fileCount
      )
    } catch {
      throw SQLiteFailure.error(error, file: file, doing: "The store could not be backed up to \(place.url.path)")
    }
  }

  private var wasRemoved: any Error {
    StoreFailure.error(
      CocoaError.fileNoSuchFile.rawValue,
      message:
        "\(place.url.path): the earlier backup was removed while the new one was made; back the store up again.",
      file: place.url
    )
  }

  private func holdsBackup(_ identifier: String) throws -> Bool {
    try place.holdsBackup(of: file, identifier: identifier) { try SQLiteStore.metadata(at: $0).uuid }
  }

  private func readIdentifier(_ database: Database) throws -> String {
    guard try database.tableExists("Z_METADATA"),
      let metadata = try StoreMetadata.read(from: database, file: file)
    else { throw SQLiteFile(file).noStore() }
    return metadata.uuid
  }

  // MARK: - Writing

  /// Writes the snapshot of a transaction, with the files that its rows name.
  private func write(_ database: Database, to temporary: SQLiteFile) throws -> Content {
    let date = Date()
    // The first query of the transaction begins its snapshot.
    let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    let pageCount = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
    let external = ExternalDataFolder(store: file)
    // A file that is missing is missing in the backup too.
    let sizes = try external.sizes(of: ExternalDataReferences(database).names())
    let total = sizes.values.reduce(pageCount * pageSize) { $0 + Int64($1) }
    place.begin(total)
    try copy(database, to: temporary, pageSize: pageSize)
    try FilePlacing.synchronizeFile(temporary.url.path)
    var written = pageCount * pageSize
    try place.report(written)
    _ = try external.copy(sizes.keys.sorted(), to: ExternalDataFolder(store: temporary.url)) { count in
      written += Int64(count)
      try place.report(written)
    }
    return Content(date: date, byteCount: total, fileCount: sizes.count)
  }

  private func copy(_ database: Database, to temporary: SQLiteFile, pageSize: Int64) throws {
    try FilePlacing.makeFile(temporary.url.path, withModeOf: file.path)
    let copy = try SQLiteConnection(path: temporary.url.path, configuration: .observed)
    do {
      try copy.use { target in
        try database.backUp(to: target, pagesPerStep: Self.pagesPerStep) { copied in
          try place.report(Int64(copied) * pageSize)
        }
      }
      try copy.close()
    } catch {
      try? copy.close()
      throw error
    }
  }

  /// Renames the backup to its final name, where there must be no file. Its files of external data are
  /// moved first, so that the backup never lacks them.
  private func put(_ temporary: SQLiteFile, at target: SQLiteFile) throws {
    // Copying may have taken long, and another program may have created a store there, which needs its log.
    try target.checkIsFree()
    try target.removeStrayLogs()
    let external = ExternalDataFolder(store: target.url)
    let moved = try ExternalDataFolder(store: temporary.url).move(to: external)
    do {
      try StoreFile(target.url).put(temporary.url)
    } catch {
      // If another store has the name by now, its rows may name the same files.
      if FileKind(at: target.url.path) == .nothing { external.remove(moved) }
      external.removeEmptyFolder()
      throw error
    }
  }
}

/// Finds the files of external data that the rows of a store name, without the store's model.
struct ExternalDataReferences {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// The names, each once. All data columns are examined. A value that stays in the row matters only if
  /// it looks like the name of a file.
  func names() throws -> Set<String> {
    var names: Set<String> = []
    let columns = try DatabaseRow.fetchAll(
      database,
      sql: """
        SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p \
        WHERE m.type = 'table' AND upper(p.type) = 'BLOB' \
        AND m.name NOT IN ('ACHANGE', 'ATRANSACTION', 'Z_METADATA', 'Z_MODELCACHE') \
        AND m.name NOT GLOB '\(SQLiteDialect().asidePrefix)*' ORDER BY m.name, p.cid
        """
    )
    for row in columns {
      guard let tableName: String = row[0], let columnName: String = row[1] else { continue }
      let (table, column) = (SQLiteDialect().identifier(tableName), SQLiteDialect().identifier(columnName))
      let query = SQLStatement(
        sql: "SELECT \(column) FROM \(table) WHERE length(\(column)) = 38 AND typeof(\(column)) = 'blob'"
      )
      names.formUnion(try SQLiteStore.fileNames(query, database: database))
    }
    return names
  }
}

extension SQLiteConnections {
  /// Runs a long read in one snapshot. It uses a connection of its own, so that no caller waits for one of the readers.
  func readAtLength<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard canHoldStates else { return try read(body) }
    let reader = try openReader()
    defer { try? reader.close() }
    return try readingUnwritten { try SQLiteLog.readingAtLength(self) { try reader.read(body) } }
  }
}
