import Foundation

/// The state of the file system that a file lies in, as the system tells it.
package struct FileSystemState: Sendable {
  /// The number of bytes that this user may still write.
  package let availableByteCount: Int64
  /// True where nothing can be written.
  package let isReadOnly: Bool

  /// - Throws: a `FileFailure` where there is nothing at the path, or the system does not tell.
  package init(behind path: String) throws {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { throw FileFailure(path: path) }
    let (bytes, overflow) = UInt64(state.f_bavail).multipliedReportingOverflow(by: UInt64(state.f_frsize))
    availableByteCount = overflow ? .max : Int64(clamping: bytes)
    isReadOnly = UInt(state.f_flag) & UInt(ST_RDONLY) != 0
  }
}
