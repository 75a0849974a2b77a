import Foundation

/// The files of stores of one type.
struct StoreFiles {
  let type: String

  /// Moves the store at one place into another place, where nothing may have a store open.
  func replace(_ url: URL, with other: URL) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).replace(with: SQLiteFile(other))
    } else {
      _ = try FileManager.default.replaceItemAt(url, withItemAt: other)
    }
  }

  /// Copies a store to a place where there is none.
  func copy(_ url: URL, to other: URL) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).copy(to: SQLiteFile(other))
    } else {
      try FileManager.default.copyItem(at: url, to: other)
    }
  }

  /// Removes a store with everything that belongs to it, if it is there.
  func remove(_ url: URL) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).remove()
    } else if FileManager.default.fileExists(atPath: url.path) {
      try FileManager.default.removeItem(at: url)
    }
  }
}
