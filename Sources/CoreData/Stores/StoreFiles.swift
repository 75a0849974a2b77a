import Files
import Foundation

/// The files of stores of one type.
struct StoreFiles {
  let type: String

  /// Puts a copy of the store at one place in another place, where there may be a store already.
  ///
  /// - Parameter timeout: how long to wait for others that use a database there, in seconds.
  func replace(_ url: URL, withCopyOf source: URL, timeout: TimeInterval) throws {
    guard type == NSSQLiteStoreType else {
      let copy = SQLiteFile(url).temporaryPlace.url
      do {
        try self.copy(source, to: copy)
        try replace(url, with: copy)
      } catch {
        try? remove(copy)
        throw error
      }
      return
    }
    if SQLiteMemory.isMeant(by: url) {
      throw StoreFailure.error(
        NSPersistentStoreOperationError,
        "\(url.path) stands for a database in memory, which no file can become; migrate the store to it instead.",
        file: url
      )
    }
    if FileKind(at: url.path) == .nothing {
      try SQLiteFile(source).copy(to: SQLiteFile(url))
    } else {
      try SQLiteReplacement(file: url, timeout: timeout).run(with: SQLiteFile(source))
    }
  }

  /// Moves a store that is kept as a whole into the place of another.
  func replace(_ url: URL, with other: URL) throws {
    // What a link leads to is what the store is kept in.
    let place = FileKind(at: url.path) == .link ? url.resolvingSymlinksInPath() : url
    do {
      if FileKind(at: place.path) == .folder {
        try FilePlacing.replaceFolder(place.path, with: other.path)
      } else {
        try FilePlacing.replace(place.path, with: other.path)
      }
    } catch {
      throw Self.failure(error, url)
    }
  }

  /// Whether a store can be made under another name and then be moved to a place.
  func canBeMadeElsewhere(than url: URL) -> Bool {
    type == NSSQLiteStoreType
      ? !SQLiteMemory.isMeant(by: url) : [NSXMLStoreType, NSBinaryStoreType].contains(type)
  }

  /// Makes a store that is filled before it gets its name: whoever breaks off leaves nothing at its place that would
  /// be taken for a store.
  ///
  /// - Parameters:
  ///   - url: where the store is to be; nothing may be there.
  ///   - fill: makes and closes a store at the place that it is given.
  func make(at url: URL, _ fill: (URL) throws -> Void) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).checkIsFree()
      try SQLiteFile(url).removeStrayLogs()
    }
    let temporary = SQLiteFile(url).temporaryPlace.url
    do {
      try fill(temporary)
      if type == NSSQLiteStoreType {
        try SQLiteFile(temporary).copy(to: SQLiteFile(url))
      } else if try !Self.put(temporary, at: url) {
        throw StoreFailure.error(
          CocoaError.fileWriteFileExists.rawValue,
          "\(url.path): another program has made the file meanwhile; give another place.",
          file: url
        )
      }
    } catch {
      try? remove(temporary)
      throw error
    }
    // An application has the store by now; what is left of the other one harms nobody.
    try? remove(temporary)
  }

  private static func put(_ file: URL, at url: URL) throws -> Bool {
    do {
      return try FilePlacing.putIfAbsent(file.path, at: url.path)
    } catch {
      throw failure(error, url)
    }
  }

  /// Copies a store to a place where there is none.
  func copy(_ url: URL, to other: URL) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).copy(to: SQLiteFile(other))
    } else {
      try SQLiteFile(url).checkPlaceOfAny()
      // A copy of a link would be the store itself.
      try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: other)
    }
  }

  /// Removes a store with everything that belongs to it, if it is there.
  func remove(_ url: URL) throws {
    if type == NSSQLiteStoreType {
      try SQLiteFile(url).remove()
    } else {
      try Self.removeItem(url)
    }
  }

  /// Removes the file of a store that is kept as a whole, or the folder of one of an application's own, if it is there.
  ///
  /// - Throws: an error for a link, a device or a pipe, which stay.
  static func removeItem(_ url: URL, mayBeFolder: Bool = true) throws {
    if FileKind(behind: FilePlacing.folder(of: url.path)) == .nothing { return }
    do {
      if mayBeFolder, FileKind(at: url.path) == .folder {
        try FileManager.default.removeItem(at: url)
      } else {
        try FilePlacing.removeFile(url.path)
      }
      // A store that was destroyed must not come back when the power goes.
      try FilePlacing.synchronizeFolder(FilePlacing.folder(of: url.path))
    } catch {
      throw failure(error, url)
    }
  }

  private static func failure(_ error: any Error, _ url: URL) -> any Error {
    guard let failure = error as? FileFailure else { return error }
    let kind = FileKind(at: url.path)
    let reason =
      kind == .regular || kind == .nothing
      ? failure.localizedDescription
      : "it is \(kind.words) and no file of a store, and stays; name the store's own file"
    return StoreFailure.error(
      failure.cocoaCode(),
      "\(url.path) cannot be removed or replaced: \(reason).",
      file: url,
      details: [NSUnderlyingErrorKey: failure]
    )
  }
}

extension SQLiteFile {
  /// Looks for what is no place of any store.
  ///
  /// - Throws: an error for a device, a pipe or a socket, and where there is nothing.
  func checkPlaceOfAny() throws {
    if FileKind(behind: url.path) != .folder { try checkPlace(mustExist: true, isWritten: false) }
  }
}
