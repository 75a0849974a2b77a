import Foundation

/// Times work: the best of several rounds, since anything else that runs only ever adds.
enum Stopwatch {
  static let rounds = 5

  /// Seconds of the fastest round. What a round needs is made before, and is not timed.
  static func best<Input>(prepare: () throws -> Input, _ work: (Input) throws -> Void) throws -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let input = try prepare()
      let start = ContinuousClock.now
      try work(input)
      let elapsed = (ContinuousClock.now - start).components
      best = min(best, Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    }
    return best
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
