import Foundation

/// The clock that times a round.
enum Stopwatch {
  /// The processor time of all threads of the process, so that other work on the machine has little effect.
  case processor
  /// Elapsed time, for work that several threads share or that other processes do.
  case wall

  /// Seconds since an arbitrary moment.
  var seconds: Double {
    var time = timespec()
    clock_gettime(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The time of some work, in seconds.
  func time(_ work: () throws -> Void) rethrows -> Double {
    let start = seconds
    try work()
    return seconds - start
  }
}
