import Files
import Foundation

/// A store whose current state can be written into a file while other connections continue to write.
///
/// A backup is the same store: it has the original's identity, metadata and history, and its objects have the same IDs.
protocol BackupStore: ObjectStore {
  /// Backs up the open store: what was saved.
  ///
  /// - Throws: an error. The place is then unchanged.
  func backUp(to place: BackupDestination) throws -> StoreBackup

  /// Backs up the store at an address. Other processes may have it open.
  ///
  /// - Throws: an error. The place is then unchanged.
  static func backUp(_ url: URL, options: [AnyHashable: Any]?, to place: BackupDestination) throws -> StoreBackup
}

/// The destination of a backup, and the receiver of its progress.
struct BackupDestination {
  let url: URL
  /// True when an earlier backup of the same store may be there, which is replaced then.
  let replacesBackup: Bool
  let progress: Progress?

  /// Looks for reasons for which a backup cannot be written here.
  ///
  /// - Parameters:
  ///   - source: the file of the store.
  ///   - identifier: the identity of the store.
  ///   - readIdentifier: reads the identity of the store that is at an address.
  /// - Returns: true when there is an earlier backup, which will be replaced.
  /// - Throws: an error with the remedy: for the store's own file under any name, for a file that is not a backup of
  ///   the store, for a backup that must not be replaced, and for a place where no file can be created.
  func holdsBackup(of source: URL, identifier: String, readIdentifier: (URL) throws -> String) throws -> Bool {
    guard url.isFileURL, !StoreFile(url).isNowhere else {
      throw StoreFailure.error(
        CocoaError.fileWriteUnsupportedScheme.rawValue,
        message:
          "\(url.isFileURL ? url.path : url.absoluteString) can hold no backup of \(source.path); name a file.",
        file: url
      )
    }
    if StoreFile.isSQLiteLog(url.path) {
      throw taken("SQLite takes a file of that name for the log of another one; give another place.")
    }
    let kind = FileKind(at: url.path)
    if kind == .nothing {
      try StoreFile(url).checkPlace(mustExist: false, isWritten: true)
      return false
    }
    if Self.isSame(url, other: source) {
      throw taken("this is the file of the store itself; give another place for the backup.")
    }
    guard replacesBackup else {
      throw taken("there is \(kind.words) already; give another place, or have the earlier backup replaced.")
    }
    guard kind == .regular else {
      throw taken("this is \(kind.words), and no backup that could be replaced; give another place.")
    }
    try StoreFile(url).checkPlace(mustExist: true, isWritten: true)
    if let present = try? readIdentifier(url), present == identifier { return true }
    throw taken(
      """
      the file is not an earlier backup of \(source.path), whose identity is \(identifier), and is not replaced; remove it \
      first, or give another place.
      """
    )
  }

  private func taken(_ problem: String) -> any Error { StoreFailure.fileExists("\(url.path): \(problem)", file: url) }

  /// True when two addresses lead to one file, by links or under two names.
  private static func isSame(_ one: URL, other: URL) -> Bool {
    var (first, second) = (stat(), stat())
    guard other.isFileURL, stat(one.path, &first) == 0, stat(other.path, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  // MARK: - Progress

  /// Sets the number of bytes to be written in the progress.
  func begin(_ byteCount: Int64) {
    progress?.totalUnitCount = max(byteCount, 1)
    progress?.completedUnitCount = 0
  }

  /// Tells the progress how many bytes were written so far.
  ///
  /// - Throws: an error with the code `userCancelled` when the progress was cancelled.
  func report(_ byteCount: Int64) throws {
    guard let progress else { return }
    // The progress is complete only when the backup has its final name.
    progress.completedUnitCount = min(byteCount, progress.totalUnitCount - 1)
    guard progress.isCancelled else { return }
    throw StoreFailure.error(
      CocoaError.userCancelled.rawValue,
      message: "The backup to \(url.path) was cancelled; nothing was written there.",
      file: url
    )
  }

  /// Tells the progress that the backup is in its place.
  func end() {
    guard let progress else { return }
    progress.completedUnitCount = progress.totalUnitCount
  }
}
