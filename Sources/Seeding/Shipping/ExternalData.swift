import CoreData
import Files
package import Foundation

/// The files beside a SQLite store that hold its large values: `.Notes_SUPPORT/_EXTERNAL_DATA`
/// beside `Notes.sqlite`.
///
/// Each has a UUID for a name, and never other bytes under that name. Symbolic links are followed
/// nowhere, as the store follows none.
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

  /// The names of the files, in order; none where there is no such folder.
  ///
  /// - Throws: A `FileFailure` for something else in the place of a folder, and for one that is
  ///   hidden; Foundation's error for one whose names cannot be read.
  package func names() throws -> [String] {
    guard try isThere() else { return [] }
    return try files.contentsOfDirectory(atPath: folder.path).filter(isFile).sorted()
  }

  /// Moves the files to another place of the same volume, beside those that are there. None is
  /// replaced: one of the same name has the same bytes, which another process has put there.
  ///
  /// - Throws: An error, after which some may be there. The store that they are of is not, so they
  ///   harm nobody.
  package func put(at place: ExternalData) throws {
    let names = try names()
    guard !names.isEmpty else { return }
    try place.createFolder(like: self)
    for name in names {
      let (file, target) = (folder.appendingPathComponent(name), place.folder.appendingPathComponent(name))
      guard try !NewFile(file).put(at: target) else { continue }
      guard files.contentsEqual(atPath: file.path, andPath: target.path) else {
        throw FileFailure(target.path, EEXIST)
      }
    }
    for folder in [place.folder, place.support, place.support.deletingLastPathComponent()] {
      try FilePlacing.synchronizeFolder(folder.path)
    }
  }

  /// Removes the files that a store had which was replaced, unless another store has the same
  /// folder. One that cannot be removed stays, and harms nobody.
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

  /// Returns true when there is a folder. Anything else in its place is an error.
  private func isThere() throws -> Bool {
    for folder in [support, folder] {
      switch FileKind(at: folder.path) {
      case .nothing: return false
      case .folder: continue
      case .hidden: throw FileFailure(folder.path, EACCES)
      default: throw FileFailure(folder.path, ENOTDIR)
      }
    }
    return true
  }

  /// Makes the folder, which no user may read who may not read another one.
  func createFolder(like other: ExternalData) throws {
    if try isThere() { return }
    let mode = FilePermissions(behind: other.support.path)?.ofFolder ?? 0o755
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

  /// True when the folder is another store's too, whose name differs in the extension alone.
  ///
  /// The framework looks: whoever opens and closes a file by other means than SQLite takes away the locks that
  /// the process has on it. What SQLite keeps beside a store is not looked at for the same reason.
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
