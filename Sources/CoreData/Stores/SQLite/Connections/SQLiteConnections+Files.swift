import Files
import Foundation
import SQLiteDriver
import Synchronization

/// The target that a store's changes are written through: its open connections, or a transaction of many saves.
protocol SQLiteWriteTarget: SQLWriteTarget where Session == SQLiteWriteSession {
  /// Runs work that is committed completely or not at all.
  func write<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Removes files that no row refers to, as soon as no state of the database can name them any more.
  func release(_ files: SQLiteFileChanges, folder: ExternalDataFolder)
}

/// The names of the files of external data that some work has created, and of those that are unused once it is
/// committed.
struct SQLiteFileChanges: Sendable {
  var new: [String] = []
  var old: [String] = []
  /// The names of the markers that list the new files until they are of use.
  var markers: [String] = []
}

/// The names of files that no row refers to since a commit, and that are still there.
final class ReleasedFiles: Sendable {
  private let names = Mutex<Set<String>>([])

  var all: [String] { names.withLock { Array($0) } }

  func add(_ released: [String]) { names.withLock { $0.formUnion(released) } }

  func forget(_ removed: [String]) { names.withLock { $0.subtract(removed) } }
}

extension SQLiteConnections: SQLiteWriteTarget {
  typealias Session = SQLiteWriteSession

  func release(_ files: SQLiteFileChanges, folder: ExternalDataFolder) {
    folder.unmark(files.markers)
    if files.old.isEmpty { return }
    released.add(files.old)
    removeReleasedFiles(folder)
  }

  /// Removes the files that no state of the database can name any more. Two conditions hold then: the commit that
  /// replaced them is on the disk, so that a loss of power does not undo it, and no pinned context or other process
  /// reads an older state. Files that cannot be removed yet are retried after the next commit that releases files,
  /// and when the store is closed.
  ///
  /// Files that are left after that are found by `perennial check`.
  func removeReleasedFiles(_ folder: ExternalDataFolder) {
    let names = released.all
    if names.isEmpty { return }
    guard (try? withoutTransaction(SQLiteCheckpoint.isComplete)) == true, folder.sharers.isEmpty else { return }
    folder.remove(names)
    released.forget(names)
  }
}

extension SQLiteConnections {
  /// Removes the files of large values that a process has left which was killed before its commit, or whose commit
  /// failed. Called when the store is opened by a process that may write it.
  ///
  /// All processes create such files only under the write lock. So while this process holds the lock, a file in a
  /// marker that no row names does not belong to a running transaction. If the whole log is in the database, no
  /// reader and no power failure brings back a state whose rows name the file. It does not wait for other processes:
  /// one that writes has a marker too, and the next opening checks again. The rows are read last, and only if a file
  /// of a marker exists.
  func removeLeftFiles(_ folder: ExternalDataFolder) {
    let markers = folder.markers
    if markers.isEmpty { return }
    _ = try? writeLock.holdIfFree {
      try writer.use { database in
        try lockWait.withoutWaiting { try database.beginTransaction(.immediate) }
        defer { try? database.rollback() }
        try opened?.requireUsable()
        // Another store's process may be about to make a file of its marker.
        guard folder.sharers.isEmpty else { return }
        let listed = try markers.reduce(into: Set<String>()) { $0.formUnion(try folder.names(in: $1)) }
        let files = try folder.present(listed)
        if !files.isEmpty {
          guard try hasOneState() else { return }
          folder.remove(Array(files.subtracting(try ExternalDataReferences(database).names())))
        }
        folder.unmark(markers)
      }
    }
  }

  /// True when the last state of the database is the only one that can be read. This needs a connection of its own,
  /// because the connection with the write lock cannot run a checkpoint.
  private func hasOneState() throws -> Bool {
    let connection = try openConnection(SQLiteLockWait(timeout: 0).configuration())
    defer { try? connection.close() }
    return try connection.use(SQLiteCheckpoint.isComplete)
  }
}

/// Determines whether a state before the last commit can come back.
enum SQLiteCheckpoint {
  /// Brings the log into the file as far as readers allow, without waiting for them.
  ///
  /// - Returns: true when the whole log is in the file and on the disk. This also means that no connection reads an
  ///   older state, because a checkpoint never overwrites pages that a reader needs:
  ///   <https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>.
  static func isComplete(in database: Database) throws -> Bool {
    let row = try DatabaseRow.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    guard let row, let busy: Int = row[0], let log: Int = row[1], let done: Int = row[2] else { return false }
    guard busy == 0, log == done else { return false }
    guard log < 0 else { return true }
    // Not in WAL mode: a commit waits for all readers, and is final when the journal's name is gone from the disk.
    let path = try String.fetchOne(database, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    guard let path, !path.isEmpty else { return false }
    try FilePlacing.synchronizeFolder(FilePlacing.folder(of: path))
    return true
  }
}
