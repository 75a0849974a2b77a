package import Foundation

/// The identity of a file: the device and the number by which the system knows it, whatever its
/// names are.
///
/// The number goes to another file once the one that had it is gone and nobody has it open. So an
/// identity tells for certain only of a file that is kept open; of another one a ``FileVersion``
/// tells more.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// The identity of what a path leads to at the end of all symbolic links.
  ///
  /// - Throws: a `FileFailure` where there is nothing, or the system does not tell.
  package init(behind path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFailure(path: path) }
    self.init(status)
  }
}

/// The state of a file's content, as far as it is known without reading: which file it is, how long
/// it is and when it was written last.
package struct FileVersion: Equatable, Sendable {
  private let identity: FileIdentity
  private let size: Int64
  /// In seconds, and in nanoseconds beside them.
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

  /// The version of what a path leads to at the end of all symbolic links; `nil` where there is
  /// nothing, or the system does not tell.
  package init?(behind path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package static func == (one: FileVersion, other: FileVersion) -> Bool {
    one.identity == other.identity && one.size == other.size && one.time == other.time
  }
}
