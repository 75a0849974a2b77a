import Foundation

/// The file of a store, and what lies beside it.
struct SQLiteFile {
  let url: URL

  init(_ url: URL) {
    self.url = url
  }

  private var folder: URL { url.deletingLastPathComponent() }

  /// Looks for what would stop the opening, to say it in plainer words than SQLite can.
  func checkPlace(mustExist: Bool, isWritten: Bool) throws {
    if SQLiteMemory.isMeant(by: url) { return }
    let manager = FileManager.default
    guard url.isFileURL else {
      throw failure(
        NSPersistentStoreOpenError,
        "\(url.absoluteString) is no file; a store of this type needs one."
      )
    }
    var isDirectory: ObjCBool = false
    if manager.fileExists(atPath: url.path, isDirectory: &isDirectory) {
      if isDirectory.boolValue {
        throw failure(
          NSPersistentStoreOpenError,
          "\(url.path) is a folder; name a file in it for the store."
        )
      }
      if !manager.isReadableFile(atPath: url.path) {
        throw failure(
          CocoaError.fileReadNoPermission.rawValue,
          "\(url.path) cannot be read; give this user access to it."
        )
      }
      if isWritten, !manager.isWritableFile(atPath: url.path) {
        throw failure(
          CocoaError.fileWriteNoPermission.rawValue,
          "\(url.path) cannot be written; make it writable, or open it with NSReadOnlyPersistentStoreOption."
        )
      }
      return
    }
    if mustExist { throw nothingToRead() }
    guard manager.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw failure(
        CocoaError.fileNoSuchFile.rawValue,
        "The folder \(folder.path) of the store \(url.lastPathComponent) does not exist; make it first."
      )
    }
    if !manager.isWritableFile(atPath: folder.path) {
      throw failure(
        CocoaError.fileWriteNoPermission.rawValue,
        "The store \(url.lastPathComponent) cannot be made in \(folder.path), which this user may not write in."
      )
    }
  }

  func nothingToRead() -> any Error {
    failure(
      CocoaError.fileReadNoSuchFile.rawValue,
      "There is no store at \(url.path); one that is opened read-only must be there."
    )
  }

  func noStore() -> any Error {
    failure(
      CocoaError.fileReadCorruptFile.rawValue,
      """
      \(url.path) is a SQLite database but no store of Core Data: it has no metadata in a table Z_METADATA; name \
      the store's own file.
      """
    )
  }

  /// Removes the store: the file, the two that SQLite keeps beside it, and the folder of external data. One in memory
  /// goes when it is closed.
  ///
  /// - Throws: an error that names the file that cannot be removed.
  func remove() throws {
    if SQLiteMemory.isMeant(by: url) { return }
    let path = url.path
    let support = ExternalDataFolder(store: url).support.path
    for path in [path, path + "-wal", path + "-shm", path + "-journal", support] {
      guard FileManager.default.fileExists(atPath: path) else { continue }
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw StoreFailure.error(
          CocoaError.fileWriteNoPermission.rawValue,
          "\(path) cannot be removed: \(error.localizedDescription)",
          file: URL(fileURLWithPath: path),
          details: [NSUnderlyingErrorKey: error]
        )
      }
    }
  }

  private func failure(_ code: Int, _ message: String) -> any Error {
    StoreFailure.error(code, message, file: url)
  }
}
