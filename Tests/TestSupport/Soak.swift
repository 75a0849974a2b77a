import Foundation

/// The share of their cases that random and exhaustive tests run.
///
/// The factor is a fifth unless `PERENNIAL_SOAK` sets another one, so that testing a change takes minutes.
/// `Scripts/soak` sets 20.
package enum Soak {
  package static let factor = Double(ProcessInfo.processInfo.environment["PERENNIAL_SOAK"] ?? "") ?? 0.2

  /// The number of rounds of a random test, at least one.
  ///
  /// - Parameter rounds: The number for a factor of 1.
  package static func rounds(_ rounds: Int) -> Int { max(1, Int(Double(rounds) * factor)) }

  /// The positions that a test tries, evenly spread: all of them for a factor of 1 and above.
  package static func sample(_ positions: Range<Int>) -> StrideTo<Int> {
    stride(from: positions.lowerBound, to: positions.upperBound, by: max(1, Int(1 / factor)))
  }
}
