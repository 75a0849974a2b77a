import Foundation

/// What this process holds of the system. Only a process that does nothing else, such as that of an
/// exit test, can compare two of them.
struct ProcessResources {
  /// The open descriptors, without timers: Dispatch opens one for each clock, when it first needs it.
  let descriptors: Int
  let threads: Int
  /// The resident memory, in bytes: proc_pid_statm(5).
  let memory: Int

  static var current: ProcessResources {
    func names(_ folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
    let targets = names("/proc/self/fd").map { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) ?? ""
    }
    let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let fields = statm.split(separator: " ")
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    return ProcessResources(
      descriptors: targets.count { $0 != "anon_inode:[timerfd]" },
      threads: names("/proc/self/task").count,
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
