import Foundation
import GRDB

extension SQLiteFile {
  /// Copies the store with everything that belongs to it, what is only in the write-ahead log included.
  ///
  /// - Parameter other: where the copy is to be; nothing may be there.
  func copy(to other: SQLiteFile) throws {
    try checkPlace(mustExist: true, isWritten: false)
    try other.checkPlace(mustExist: false, isWritten: true)
    if FileManager.default.fileExists(atPath: other.url.path) {
      throw StoreFailure.error(
        CocoaError.fileWriteFileExists.rawValue,
        "\(other.url.path) is there already; give another place, or remove it first.",
        file: other.url
      )
    }
    do {
      let connections = try SQLiteConnections(
        file: url,
        isReadOnly: true,
        pragmas: [],
        timeout: SQLiteStoreOpening.defaultTimeout
      )
      try connections.copy(to: other.url)
      try connections.close()
      try ExternalDataFolder(store: url).copy(to: ExternalDataFolder(store: other.url))
    } catch {
      try? other.remove()
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be copied")
    }
  }

  /// Puts another store in the place of this one, which nothing may have open: the other store's file moves.
  ///
  /// At any time there is either the old store or the new one; files of external data have names of their own.
  func replace(with other: SQLiteFile) throws {
    if SQLiteMemory.isMeant(by: url) {
      throw StoreFailure.error(
        NSPersistentStoreOperationError,
        "\(url.path) stands for a database in memory, which no file can become; migrate the store to it instead.",
        file: url
      )
    }
    let folders = (ExternalDataFolder(store: url), ExternalDataFolder(store: other.url))
    let former = folders.0.names
    do {
      try bringLogIn()
      try folders.1.copy(to: folders.0)
      // Renaming a file over another one is one step; FileManager's moveItem refuses to.
      guard rename(other.url.path, url.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      throw SQLiteFailure.error(error, file: url, doing: "The store could not be replaced")
    }
    folders.0.remove(Array(Set(former).subtracting(folders.1.names)))
    try other.remove()
  }

  /// Brings the write-ahead log into the file, and removes it: another database of the name must not find it.
  private func bringLogIn() throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    let queue = try DatabaseQueue(path: url.path)
    _ = try queue.writeWithoutTransaction {
      try GRDB.Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
    for suffix in ["-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: url.path + suffix)
    {
      try FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }
}

extension ExternalDataFolder {
  /// Copies the files into another folder, beside those that are there.
  func copy(to other: ExternalDataFolder) throws {
    let names = names
    if names.isEmpty { return }
    try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
    for name in names {
      let target = other.folder.appendingPathComponent(name)
      if FileManager.default.fileExists(atPath: target.path) { continue }
      try FileManager.default.copyItem(at: folder.appendingPathComponent(name), to: target)
    }
  }
}
