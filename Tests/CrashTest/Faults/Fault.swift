/// How a call of the system fails.
enum Fault: String, Sendable {
  /// It alone fails with EIO.
  case io
  /// It fails with EIO, and so does every call after it.
  case broken
  /// The disk is full from a call on that needs room.
  case full
  /// A write takes the first half of its bytes.
  case short
  /// A write takes the first half of its bytes, and the disk is full from then on.
  case torn
  /// The process is killed instead of the call.
  case killed

  /// Faults that are counted alike: those of any call, of a call that needs room, and of a write.
  static let kinds: [[Fault]] = [[.io, .broken, .killed], [.full], [.short, .torn]]

  func environment(at number: Int, report: String, library: String, folder: String) -> [String: String] {
    [
      "LD_PRELOAD": library, "FAULT_ROOT": folder, "FAULT_AT": String(number), "FAULT_WITH": rawValue,
      "FAULT_REPORT": report,
    ]
  }
}
