import Foundation

/// What this process holds of the system. Only a process that does nothing else, such as that of an
/// exit test, can compare two of them.
struct ProcessResources {
  let descriptors: Int
  let threads: Int
  /// The resident memory, in bytes: proc_pid_statm(5).
  let memory: Int

  static var current: ProcessResources {
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
    let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let fields = statm.split(separator: " ")
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    return ProcessResources(
      descriptors: count("/proc/self/fd"),
      threads: count("/proc/self/task"),
      memory: pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    )
  }

  /// The least that the process holds within some time: what others close by and by is closed then.
  static func settled() async throws -> ProcessResources {
    var least = current
    for _ in 0..<50 {
      try await Task.sleep(for: .milliseconds(10))
      let next = current
      if next.descriptors <= least.descriptors { least = next }
    }
    return least
  }

  /// Waits until a condition holds: other threads close what they hold when they come to it.
  ///
  /// - Returns: False when it does not hold after two minutes, in which this process does nothing else.
  static func wait(until isReached: (ProcessResources) -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while !isReached(current) {
      guard .now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}
