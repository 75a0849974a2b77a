import Foundation

/// The kind of figure that the rounds of a workload give.
enum Measure {
  /// Seconds by a clock.
  case time(Stopwatch)
  /// Memory in millions of bytes.
  case megabytes
  /// How often something was done in a second.
  case rate
  /// The power of the size by which a time grows.
  case exponent

  /// The clock of a workload's rounds; the processor's where they are not timed.
  var stopwatch: Stopwatch {
    if case .time(let stopwatch) = self { stopwatch } else { .processor }
  }

  var isTime: Bool {
    if case .time = self { true } else { false }
  }

  /// The words of RESULTS.md for what was measured.
  var words: String {
    switch self {
    case .time(.processor): "processor"
    case .time(.wall): "wall"
    case .megabytes: "memory"
    case .rate: "rate"
    case .exponent: "growth"
    }
  }

  /// A figure with its unit.
  func text(_ value: Double) -> String {
    switch self {
    case .time where value < 0.001: String(format: "%.4f ms", value * 1000)
    case .time where value < 10: String(format: "%.1f ms", value * 1000)
    case .time: String(format: "%.1f s", value)
    case .megabytes: String(format: "%.1f MB", value)
    case .rate: String(format: "%.0f/s", value)
    case .exponent: String(format: "%.2f", value)
    }
  }
}
