import Foundation

/// The locks that processes hold on files.
package enum FileLocks {
  /// Returns true when a process, including this one, holds a lock on the file that a path leads to.
  ///
  /// A database that is open in WAL mode always has a lock, according to SQLite's documentation of its locks.
  ///
  /// The function does not open the file, because a process loses all its locks on a file when it closes any of the
  /// file's descriptors. Where the system has no list of locks, as outside of Linux, the result is false.
  package static func isHeld(onFileAt path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return isHeld(onFileOfNumber: UInt64(truncatingIfNeeded: status.st_ino)) { try? readList() }
  }

  /// Reads the list in a loop. Foundation treats a read that returns fewer bytes than it asked for as the last one.
  private static func readList() throws -> String {
    let file = try Descriptor(path: "/proc/locks", flags: O_RDONLY)
    var list = Data()
    while true {
      let part = try file.read(upTo: 1 << 16)
      if part.isEmpty { return String(decoding: list, as: UTF8.self) }
      list += part
    }
  }

  /// Returns true when the list of locks contains a file's number.
  ///
  /// The system returns its list in parts. A lock that is added earlier in the list between two parts makes the
  /// reader miss a line. The function therefore reads the list until two successive lists are equal, or until it
  /// has read many lists.
  ///
  /// - Parameter read: reads the list; `nil` where there is no list.
  static func isHeld(onFileOfNumber number: UInt64, _ read: () -> String?) -> Bool {
    var former: String?
    for _ in 0..<mostLooks {
      guard let list = read() else { return false }
      if numbers(in: list).contains(number) { return true }
      if list == former { return false }
      former = list
    }
    return false
  }

  /// The greatest number of lists to read. Where many programs lock and unlock files, some lists miss a line.
  private static let mostLooks = 64

  /// The inode numbers in lines such as `1: POSIX  ADVISORY  READ 1234 fd:01:5678 1073741826 1073742335`.
  ///
  /// The device numbers are not used, because on some file systems they differ from those of `stat`.
  private static func numbers(in list: String) -> some Sequence<UInt64> {
    list.split(separator: "\n").lazy.compactMap { line in
      let place = line.split(separator: " ").first { $0.count { $0 == ":" } == 2 }
      return place?.split(separator: ":").last.flatMap { UInt64($0) }
    }
  }
}
