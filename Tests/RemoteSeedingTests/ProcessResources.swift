import Foundation

/// The system resources of this process. Two values are comparable only in a process that does nothing else, such as that of
/// an exit test.
struct ProcessResources {
  /// The open file descriptors, without timers, because Dispatch opens one for each clock on first use.
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

  /// The least resources within half a second, while other threads release theirs.
  static func settled() async throws -> ProcessResources {
    var least = current
    for _ in 0..<50 {
      try await Task.sleep(for: .milliseconds(10))
      let next = current
      if next.descriptors <= least.descriptors { least = next }
    }
    return least
  }

  /// Waits until a condition holds, while other threads release their resources.
  ///
  /// - Returns: False if it does not hold after two minutes, in which this process does nothing else.
  static func wait(until isReached: (ProcessResources) -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while !isReached(current) {
      guard .now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}
