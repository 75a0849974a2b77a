import Foundation

/// The locks that programs have on files.
package enum FileLocks {
  /// True when some program, this one too, has a lock on what a path leads to. A database in use has
  /// one as long as it is open in WAL mode: SQLite's documentation of its locks.
  ///
  /// Nothing is opened for it: a process loses all its locks on a file when it closes any of the file's
  /// descriptors. Where the system has no list of locks, as outside of Linux, there are none.
  package static func isHeld(onFileAt path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    let number = UInt64(truncatingIfNeeded: status.st_ino)
    // The list is read in parts: a line is missed where one before it goes in between.
    return (0..<3).contains { _ in isListed(number) }
  }

  private static func isListed(_ number: UInt64) -> Bool {
    guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return false }
    // Lines as `1: POSIX  ADVISORY  READ 1234 fd:01:5678 1073741826 1073742335`, with the file's number
    // behind its device, whose number is not that of `stat` on all file systems.
    return list.split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard let place = words.first(where: { $0.count { $0 == ":" } == 2 }) else { return false }
      return place.split(separator: ":").last.flatMap { UInt64($0) } == number
    }
  }
}
