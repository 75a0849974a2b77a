import CoreData
import Files
package import Foundation

/// The files next to a SQLite store that hold its large values: `.Notes_SUPPORT/_EXTERNAL_DATA` next to `Notes.sqlite`.
///
/// Each file has a UUID as its name, and a name never gets other content. Symbolic links are not
/// followed, because the store does not follow them either.
package struct ExternalData {
  private let store: URL
  package let support: URL
  package let folder: URL
  private let files = FileManager.default

  /// - Parameter store: The store's file, which need not be there.
  package init(of store: URL) {
    self.store = store
    let name = store.deletingPathExtension().lastPathComponent
    support = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
    folder = support.appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
  }

  /// The names of the files, sorted; empty if the folder does not exist.
  ///
  /// - Throws: A `FileFailure` if the path is not a folder, or if the folder is hidden;
  ///   Foundation's error if the names cannot be read.
  package func names() throws -> [String] {
    guard try isThere() else { return [] }
    return try files.contentsOfDirectory(atPath: folder.path).filter(isFile).sorted()
  }

  /// Moves the files into the folder at another path of the same volume. Existing files are not
  /// replaced: a file with the same name has the same content, which another process has put there.
  ///
  /// - Throws: An error, after which some of the files may have been moved. They do no harm,
  ///   because their store is not there yet.
  package func put(at place: ExternalData) throws {
    let names = try names()
    guard !names.isEmpty else { return }
    try place.createFolder(like: self)
    for name in names {
      let (file, target) = (folder.appendingPathComponent(name), place.folder.appendingPathComponent(name))
      guard try !NewFile(file).put(at: target) else { continue }
      guard files.contentsEqual(atPath: file.path, andPath: target.path) else {
        throw FileFailure(path: target.path, code: EEXIST)
      }
    }
    for folder in [place.folder, place.support, place.support.deletingLastPathComponent()] {
      try FilePlacing.synchronizeFolder(folder.path)
    }
  }

  /// Removes the files of a replaced store, unless another store uses the same folder. A file that
  /// cannot be removed remains, and does no harm.
  ///
  /// - Throws: The errors of ``names()``, before anything is removed.
  package func removeFiles(but retained: [String]) throws {
    guard try isThere(), !isShared else { return }
    for name in Set(try names()).subtracting(retained) {
      _ = try? FilePlacing.removeFile(folder.appendingPathComponent(name).path)
    }
    // Fails where anything is left.
    rmdir(folder.path)
    rmdir(support.path)
  }

  /// Returns true if the folder exists. Any other kind of file is an error.
  private func isThere() throws -> Bool {
    for folder in [support, folder] {
      switch FileKind(at: folder.path) {
      case .nothing: return false
      case .folder: continue
      case .hidden: throw FileFailure(path: folder.path, code: EACCES)
      default: throw FileFailure(path: folder.path, code: ENOTDIR)
      }
    }
    return true
  }

  /// Creates the folder with the permissions of another one.
  func createFolder(like other: ExternalData) throws {
    if try isThere() { return }
    let mode = FilePermissions(resolving: other.support.path)?.ofFolder ?? 0o755
    for folder in [support, folder] where FileKind(at: folder.path) == .nothing {
      try files.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: mode)]
      )
    }
  }

  private func isFile(_ name: String) -> Bool {
    guard UUID(uuidString: name) != nil else { return false }
    if case .regular = FileKind(at: folder.appendingPathComponent(name).path) { return true }
    return false
  }

  /// True if another store uses the same folder, because the two names differ in the extension alone.
  ///
  /// The framework has to check this. If a program opens and closes a database file by other means
  /// than SQLite, the process [loses its locks](https://sqlite.org/howtocorrupt.html) on that file.
  /// The files that SQLite keeps next to a store are not opened for the same reason.
  private var isShared: Bool {
    let stem = store.deletingPathExtension().lastPathComponent
    let names = (try? files.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)) ?? []
    return names.contains { name in
      let other = store.deletingLastPathComponent().appendingPathComponent(name)
      return name != store.lastPathComponent && other.deletingPathExtension().lastPathComponent == stem
        && !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix)
        && (try? NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)) != nil
    }
  }
}
