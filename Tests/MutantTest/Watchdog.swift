import Dispatch
import Foundation
import Synchronization

/// Ends the process if a command exceeds its time or memory.
final class Watchdog: Sendable {
  /// The limit of processor time, in seconds. Other work on the machine does not count.
  static let longestWork = 10.0
  /// The limit of wall-clock time, in seconds, for a command that waits forever.
  static let longestWait = 30.0
  /// The limit of additional resident memory, in bytes, since the command began.
  static let mostMemory = 500 << 20

  static let hangStatus: Int32 = 91
  static let memoryStatus: Int32 = 92

  private struct Beginning: Sendable {
    let work: Double
    let time: Double
    let memory: Int
  }

  private let begun = Mutex<Beginning?>(nil)
  private let journal: Journal

  init(journal: Journal) {
    self.journal = journal
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 0.05)
        look()
      }
    }
  }

  func start() {
    let now = Beginning(
      work: Self.seconds(CLOCK_PROCESS_CPUTIME_ID),
      time: Self.seconds(CLOCK_MONOTONIC),
      memory: Self.memory
    )
    begun.withLock { $0 = now }
  }

  func stop() { begun.withLock { $0 = nil } }

  private func look() {
    guard let begun = begun.withLock({ $0 }) else { return }
    let work = Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - begun.work
    let wait = Self.seconds(CLOCK_MONOTONIC) - begun.time
    if work > Self.longestWork || wait > Self.longestWait {
      journal.write("stopped after \(wait) s, \(work) s of them on a processor")
      _exit(Self.hangStatus)
    }
    let memory = Self.memory - begun.memory
    if memory > Self.mostMemory {
      journal.write("stopped: it took \(memory >> 20) MB")
      _exit(Self.memoryStatus)
    }
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var memory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
