import Foundation

/// A worker's log, line by line. After a crash, the last line names the worker's last action.
struct Journal: Sendable {
  private let descriptor: Int32

  /// The journal that is written to the worker's standard output, which is then silenced for everything else.
  static func appending() throws -> Journal {
    let descriptor = fcntl(STDOUT_FILENO, F_DUPFD, 100)
    guard descriptor >= 0 else { throw POSIXError(.EBADF) }
    return Journal(descriptor: descriptor)
  }

  func write(_ line: String) {
    let bytes = Array((line.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n").utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
  }
}
