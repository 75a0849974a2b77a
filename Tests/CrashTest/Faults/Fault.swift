/// How a system call fails.
enum Fault: String, Sendable {
  /// One call fails with EIO.
  case io
  /// The call and every later call fail with EIO.
  case broken
  /// The disk is full from the first call on that needs disk space.
  case full
  /// A write stores the first half of its bytes.
  case short
  /// A write stores the first half of its bytes, and the disk is full afterwards.
  case torn
  /// The process is killed instead of the call.
  case killed

  /// Groups of faults that share a call counter: any call, a call that needs disk space, and a write.
  static let kinds: [[Fault]] = [[.io, .broken, .killed], [.full], [.short, .torn]]

  func environment(at number: Int, report: String, library: String, folder: String) -> [String: String] {
    [
      "LD_PRELOAD": library, "FAULT_ROOT": folder, "FAULT_AT": String(number), "FAULT_WITH": rawValue,
      "FAULT_REPORT": report,
    ]
  }
}
