import Foundation

/// Contenders for the same work, which run in turn within each round. Elapsed time is measured, so that it
/// includes the server's work.
struct Comparison {
  static let rounds = 7

  struct Contender {
    let name: String
    /// The greatest time, relative to that of the first contender.
    var bound: Double?
    /// Prepares a round, and returns the timed work.
    let prepare: () throws -> () throws -> Void
  }

  let name: String
  /// The contenders. The others are compared with the first one.
  let contenders: [Contender]

  func show() throws {
    var seconds: [[Double]] = contenders.map { _ in [] }
    for _ in 0..<Self.rounds {
      for (index, contender) in contenders.enumerated() {
        let work = try contender.prepare()
        let start = ContinuousClock.now
        try work()
        seconds[index].append((ContinuousClock.now - start) / .seconds(1))
      }
    }
    print("\n\(name)")
    let floor = Self.median(seconds[0])
    for (contender, times) in zip(contenders, seconds) {
      let ratio = Self.median(times) / floor
      let bound = contender.bound.map { bound in
        "  bound \(bound.formatted(.number.precision(.fractionLength(1))))\(ratio <= bound ? "" : "  MISSED")"
      }
      print(
        String(
          format: "  %-34@ %8.1f ms (%.1f to %.1f)  ratio %5.2f%@",
          contender.name as NSString,
          Self.median(times) * 1000,
          (times.min() ?? 0) * 1000,
          (times.max() ?? 0) * 1000,
          ratio,
          (bound ?? "") as NSString
        )
      )
    }
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
