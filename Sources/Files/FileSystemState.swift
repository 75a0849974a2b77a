import Foundation

/// The state of a file system, as the system reports it.
package struct FileSystemState: Sendable {
  /// The number of bytes that this user can still write.
  package let availableByteCount: Int64
  /// True when the file system is mounted read-only.
  package let isReadOnly: Bool

  /// Reads the state of the file system that contains a path.
  ///
  /// - Throws: a `FileFailure` where there is no file at the path, or when the system cannot read the state.
  package init(resolving path: String) throws {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { throw FileFailure(path: path) }
    let (bytes, overflow) = UInt64(state.f_bavail).multipliedReportingOverflow(by: UInt64(state.f_frsize))
    availableByteCount = overflow ? .max : Int64(clamping: bytes)
    isReadOnly = UInt(state.f_flag) & UInt(ST_RDONLY) != 0
  }
}
