import Files
import Foundation

/// The place of a store in the file system: what may be there, and how it is put there, replaced and removed.
///
/// The type of store manages the files that it keeps next to the store file.
struct StoreFile {
  let url: URL

  init(_ url: URL) { self.url = url }

  /// The address of a store that was given none.
  static let nowhere = URL(fileURLWithPath: "/dev/null")

  /// True when the address does not name a file: a SQLite store is then kept in memory, and a store of another type
  /// is lost.
  var isNowhere: Bool {
    url.isFileURL && (url.path == Self.nowhere.path || url.path.hasPrefix(Self.nowhere.path + "/"))
  }

  /// A hidden name in the store's folder, for a file that will replace the store.
  var temporaryPlace: URL { folder.appendingPathComponent(".\(UUID().uuidString)-\(url.lastPathComponent)") }

  // MARK: - What is there

  private var folder: URL { url.deletingLastPathComponent() }

  /// Checks for conditions that would make opening fail, because the error of the opening itself is less clear.
  ///
  /// - Throws: an error with the remedy.
  func checkPlace(mustExist: Bool, isWritten: Bool) throws {
    if isNowhere { return }
    let manager = FileManager.default
    guard url.isFileURL else {
      throw failure(
        NSPersistentStoreOpenError,
        message: "\(url.absoluteString) is not a file; a store of this type needs one."
      )
    }
    var isDirectory: ObjCBool = false
    let kind = FileKind(resolving: url.path)
    if kind != .nothing {
      if kind == .folder {
        throw failure(NSPersistentStoreOpenError, message: "\(url.path) is a folder; name a file in it for the store.")
      }
      if kind == .device || kind == .pipe || kind == .socket {
        throw failure(
          NSPersistentStoreOpenError,
          message: "\(url.path) is \(kind.words), which no store can be kept in; name a file."
        )
      }
      if !manager.isReadableFile(atPath: url.path) {
        throw failure(
          CocoaError.fileReadNoPermission.rawValue,
          message: "\(url.path) cannot be read; give this user access to it."
        )
      }
      if isWritten, !manager.isWritableFile(atPath: url.path) {
        throw failure(
          CocoaError.fileWriteNoPermission.rawValue,
          message:
            "\(url.path) cannot be written; make it writable, or open it with NSReadOnlyPersistentStoreOption."
        )
      }
      return
    }
    if mustExist { throw nothingToRead() }
    guard manager.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw failure(
        CocoaError.fileNoSuchFile.rawValue,
        message:
          "The folder \(folder.path) of the store \(url.lastPathComponent) does not exist; make it first."
      )
    }
    if !manager.isWritableFile(atPath: folder.path) {
      throw failure(
        CocoaError.fileWriteNoPermission.rawValue,
        message:
          "The store \(url.lastPathComponent) cannot be made in \(folder.path), which this user may not write in."
      )
    }
  }

  /// Checks that the place, a file or a folder, can hold a store of some type.
  ///
  /// - Throws: an error for a device, a pipe or a socket, and for an empty place.
  func checkPlaceOfAny() throws {
    if FileKind(resolving: url.path) != .folder { try checkPlace(mustExist: true, isWritten: false) }
  }

  func nothingToRead() -> any Error {
    failure(
      CocoaError.fileReadNoSuchFile.rawValue,
      message: "There is no store at \(url.path); one that is opened read-only must be there."
    )
  }

  private func failure(_ code: Int, message: String) -> any Error {
    StoreFailure.error(code, message: message, file: url)
  }

  // MARK: - Putting and removing

  /// Creates an empty file here for a new store with the content of another one, if there is no file. A user who may
  /// not read the other store may not read this file.
  ///
  /// - Returns: false if no file was created, because the other store is not in a file, or because no file can be
  ///   created here; opening the store then reports the reason.
  @discardableResult
  func make(withPermissionsOf other: URL?) -> Bool {
    guard let other, other.isFileURL, FileKind(resolving: other.path) == .regular, url.isFileURL, !isNowhere,
      FileKind(at: url.path) == .nothing
    else { return false }
    return (try? FilePlacing.makeFile(url.path, withModeOf: other.path)) != nil
  }

  /// Replaces this file or folder by another one, which is moved here. If this is a symbolic link, its target is
  /// replaced.
  func replace(with other: URL) throws {
    let place = FileKind(at: url.path) == .link ? url.resolvingSymlinksInPath() : url
    do {
      if FileKind(at: place.path) == .folder {
        try FilePlacing.replaceFolder(place.path, with: other.path)
      } else {
        try FilePlacing.replace(place.path, with: other.path)
      }
    } catch {
      throw failure(error)
    }
  }

  /// Renames a file to this place, which must be empty.
  func put(_ file: URL) throws {
    let isPut: Bool
    do {
      isPut = try FilePlacing.putIfAbsent(file.path, at: url.path)
    } catch {
      throw failure(error)
    }
    if isPut { return }
    throw StoreFailure.fileExists(
      "\(url.path): another program has made the file meanwhile; give another place.",
      file: url
    )
  }

  /// Removes the file of a store that is kept as a whole, or the folder of one of an application's own, if it is there.
  ///
  /// - Throws: an error for a link, a device or a pipe, which are not removed.
  func remove(mayBeFolder: Bool = true) throws {
    if FileKind(resolving: FilePlacing.folder(of: url.path)) == .nothing { return }
    do {
      if mayBeFolder, FileKind(at: url.path) == .folder {
        try FileManager.default.removeItem(at: url)
      } else {
        try FilePlacing.removeFile(url.path)
      }
      // The folder is synced, so that a destroyed store does not come back after a power failure.
      try FilePlacing.synchronizeFolder(FilePlacing.folder(of: url.path))
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> any Error {
    guard let failure = error as? FileFailure else { return error }
    let kind = FileKind(at: url.path)
    let reason =
      kind == .regular || kind == .nothing
      ? failure.localizedDescription
      : "it is \(kind.words) and no file of a store, and stays; name the store's own file"
    return StoreFailure.error(
      failure.cocoaCode(),
      message: "\(url.path) cannot be removed or replaced: \(reason).",
      file: url,
      details: [NSUnderlyingErrorKey: failure]
    )
  }
}
