import Foundation

/// The kind of figure that a workload measures.
enum Measure {
  /// Seconds of a clock.
  case time(Stopwatch)
  /// Memory in millions of bytes.
  case megabytes
  /// Operations per second.
  case rate
  /// The exponent with which a time grows with the size.
  case exponent

  /// The clock of the rounds. Rounds without times use the processor's clock.
  var stopwatch: Stopwatch {
    if case .time(let stopwatch) = self { stopwatch } else { .processor }
  }

  var isTime: Bool {
    if case .time = self { true } else { false }
  }

  /// The name of the measured quantity in RESULTS.md.
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
