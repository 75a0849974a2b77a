import Files
import Foundation
import SQLiteDriver

extension SQLiteFile {
  /// Copies the store with all of its files, including changes that are only in the write-ahead log.
  ///
  /// - Parameters:
  ///   - other: the place of the copy, which must be empty.
  ///   - timeout: the time to wait for other connections to the store, in seconds.
  /// - Throws: an error. No file of the copy is then left.
  func copy(to other: SQLiteFile, timeout: TimeInterval = StoreTimeout.standard) throws {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: false)
    do {
      let connections = try SQLiteConnections(
        file: url,
        isReadOnly: true,
        pragmas: [],
        timeout: timeout
      )
      defer { try? connections.close() }
      try connections.copy(to: other)
    } catch {
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be copied")
    }
  }

  /// Makes sure that a new store can be created here: the place is empty, and the store would not
  /// share its folder of external data with another store.
  ///
  /// - Throws: an error with the remedy.
  func checkIsFree() throws {
    try StoreFile(url).checkPlace(mustExist: false, isWritten: true)
    let kind = FileKind(at: url.path)
    if kind != .nothing {
      throw StoreFailure.fileExists(
        "\(url.path): there is \(kind.words) already; give another place, or remove it first.",
        file: url
      )
    }
    try checkFolderIsFree()
  }

  /// Makes sure that the store would not share its folder of external data with another store.
  ///
  /// - Throws: an error with the remedy.
  func checkFolderIsFree() throws {
    let folder = ExternalDataFolder(store: url)
    guard let sharer = folder.sharers.first else { return }
    throw StoreFailure.fileExists(
      """
      \(url.path) would keep its files of large data in \(folder.support.lastPathComponent), which belongs to \
      \(sharer.lastPathComponent) beside it: each would remove those of the other. Give a name that differs before the \
      extension, or another folder.
      """,
      file: url
    )
  }
}

extension SQLiteConnections {
  /// Copies the current database, with its files of external data, to an empty place.
  ///
  /// The copy is written under a temporary name and synced to the disk before it gets its name.
  func copy(to other: SQLiteFile) throws {
    try other.checkIsFree()
    try other.removeStrayLogs()
    let temporary = other.temporaryPlace
    let external = ExternalDataFolder(store: other.url)
    var copied: [String] = []
    do {
      try look { database in
        if FileKind(resolving: file.path) == .regular {
          try FilePlacing.makeFile(temporary.url.path, withModeOf: file.path)
        }
        try Self.copy(database, to: temporary.url)
        // Inside the transaction, which prevents other connections from removing the files that these rows name.
        if !SQLiteMemory.isMeant(by: file) { copied = try ExternalDataFolder(store: file).copy(to: external) }
      }
      guard try FilePlacing.putIfAbsent(temporary.url.path, at: other.url.path) else {
        throw StoreFailure.fileExists(
          "\(other.url.path): another program has copied the file meanwhile; give another place.",
          file: other.url
        )
      }
    } catch {
      external.remove(copied)
      if !copied.isEmpty { external.removeEmptyFolder() }
      try? temporary.remove()
      let doing = "The store could not be copied to \(other.url.path)"
      throw SQLiteFailure.error(error, file: file, doing: doing)
    }
    try? temporary.remove()
  }

  /// Copies the snapshot of a connection's transaction into a new file.
  static func copy(_ database: Database, to file: URL) throws {
    _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
    let copy = try SQLiteConnection(path: file.path, configuration: .observed)
    do {
      try copy.use { try database.backUp(to: $0) }
      try copy.close()
    } catch {
      try? copy.close()
      throw error
    }
  }
}

extension SQLiteFile {
  /// A hidden name in the store's folder, for a file that will replace the store.
  var temporaryPlace: SQLiteFile { SQLiteFile(StoreFile(url).temporaryPlace) }
}
