package import Foundation

/// The identity of a file: its device and its inode number, which do not depend on its names.
///
/// The system reuses an inode number once its file is removed and no process has the file open. An identity is
/// therefore certain only for a file that is kept open. For any other file, a ``FileVersion`` is more reliable.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Reads the identity of the file that a path leads to. Symbolic links are followed.
  ///
  /// - Throws: a `FileFailure` where there is no file, or when the system cannot read its status.
  package init(resolving path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    self.init(status)
  }
}

/// The state of a file's content as its metadata shows it: the file's identity, its size and the time of the last
/// write.
package struct FileVersion: Equatable, Sendable {
  private let identity: FileIdentity
  private let size: Int64
  /// The seconds and the nanoseconds of the last write.
  private let time: (Int, Int)

  package init(_ status: stat) {
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let written = status.st_mtimespec
    #else
      let written = status.st_mtim
    #endif
    time = (Int(written.tv_sec), Int(written.tv_nsec))
  }

  /// Reads the version of the file that a path leads to. Symbolic links are followed.
  ///
  /// It is `nil` where there is no file, or when the system cannot read its status.
  package init?(resolving path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package static func == (one: FileVersion, other: FileVersion) -> Bool {
    one.identity == other.identity && one.size == other.size && one.time == other.time
  }
}
