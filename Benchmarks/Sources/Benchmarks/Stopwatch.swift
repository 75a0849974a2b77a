import Foundation

/// Times work by the processor, all threads of the process together, so that what else the machine does counts little:
/// the best of several rounds, since anything else only ever adds.
enum Stopwatch {
  static let rounds = 5

  /// Seconds of the fastest round. What a round needs is made before, and is not timed.
  static func best<Input>(prepare: () throws -> Input, _ work: (Input) throws -> Void) throws -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let input = try prepare()
      let start = processorSeconds
      try work(input)
      best = min(best, processorSeconds - start)
    }
    return best
  }

  /// Seconds of the processor that the process has had.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  static func best(_ work: () throws -> Void) throws -> Double { try best(prepare: {}, work) }
}

/// One workload: the time that the raw C API takes for it, and those of the others.
struct Workload {
  let name: String
  let raw: Double
  var entries: [(who: String, seconds: Double, bound: Double?)] = []

  func show() {
    print("\n\(name)")
    print(String(format: "  %-34@ %8.1f ms", "sqlite3, C API" as NSString, raw * 1000))
    for entry in entries {
      let bound = entry.bound.map {
        String(format: "  bound %.1f%@", $0, entry.seconds / raw <= $0 ? "" : "  MISSED")
      }
      print(
        String(
          format: "  %-34@ %8.1f ms  ratio %5.2f%@",
          entry.who as NSString,
          entry.seconds * 1000,
          entry.seconds / raw,
          (bound ?? "") as NSString
        )
      )
    }
  }
}
