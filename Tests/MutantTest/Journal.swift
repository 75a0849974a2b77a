import Foundation

/// What a worker does, a line at a time, so that the last line tells what it was doing when it ended.
struct Journal: Sendable {
  private let descriptor: Int32

  /// The journal of a worker: its standard output, before that is silenced.
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
