import Foundation

/// The clock that a round is timed by.
enum Stopwatch {
  /// The time of the processor that all threads of the process have had together, so that what else
  /// the machine does counts little.
  case processor
  /// The time on the wall, for work that is shared by several threads or done by other processes.
  case wall

  /// Seconds since some moment.
  var seconds: Double {
    var time = timespec()
    clock_gettime(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The seconds that some work takes.
  func time(_ work: () throws -> Void) rethrows -> Double {
    let start = seconds
    try work()
    return seconds - start
  }
}
