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
    return isHeld(onFileOfNumber: UInt64(truncatingIfNeeded: status.st_ino)) { try? readList() }
  }

  /// Foundation takes a part that is shorter than it has asked for to be the last one.
  private static func readList() throws -> String {
    let file = try Descriptor(path: "/proc/locks", flags: O_RDONLY)
    var list = Data()
    while true {
      let part = try file.read(upTo: 1 << 16)
      if part.isEmpty { return String(decoding: list, as: UTF8.self) }
      list += part
    }
  }

  /// The system gives its list in parts, and a line is missed where one before it goes in between. So
  /// the list counts when it is the same twice, or when many were different.
  ///
  /// - Parameter read: reads the list; `nil` where there is none.
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

  /// Where many programs lock and unlock files, one look in some misses a line.
  private static let mostLooks = 64

  /// The numbers of the files of lines as `1: POSIX  ADVISORY  READ 1234 fd:01:5678 1073741826 1073742335`.
  /// The number of the device is not that of `stat` on all file systems.
  private static func numbers(in list: String) -> some Sequence<UInt64> {
    list.split(separator: "\n").lazy.compactMap { line in
      let place = line.split(separator: " ").first { $0.count { $0 == ":" } == 2 }
      return place?.split(separator: ":").last.flatMap { UInt64($0) }
    }
  }
}
