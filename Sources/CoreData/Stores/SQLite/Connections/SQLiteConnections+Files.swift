import Synchronization

/// The names of files that no row refers to since a commit, and that are still there.
final class ReleasedFiles: Sendable {
  private let names = Mutex<Set<String>>([])

  var all: [String] { names.withLock { Array($0) } }

  func add(_ released: [String]) { names.withLock { $0.formUnion(released) } }

  func forget(_ removed: [String]) { names.withLock { $0.subtract(removed) } }
}

extension SQLiteConnections: SQLiteWriteTarget {
  func release(_ files: SQLiteFileChanges, _ folder: ExternalDataFolder) {
    if files.old.isEmpty { return }
    released.add(files.old)
    removeReleasedFiles(folder)
  }

  /// Removes the files that no state of the database can name any more: the commit that replaced
  /// them is on the disk, so that no loss of power takes it back, and nobody reads an older state,
  /// be it a pinned context or another process. Files that cannot be removed yet are tried again
  /// after the next commit that releases files, and when the store is closed.
  ///
  /// Files that are left after that, as by a crash, are found by `perennial check`.
  func removeReleasedFiles(_ folder: ExternalDataFolder) {
    let names = released.all
    if names.isEmpty { return }
    guard (try? withoutTransaction(SQLiteCheckpoint.isComplete)) == true, folder.sharers.isEmpty else {
      return
    }
    folder.remove(names)
    released.forget(names)
  }
}
