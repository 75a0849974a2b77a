import Foundation

/// How much of what random and exhaustive tests could try they do try.
///
/// The factor is a fifth unless `PERENNIAL_SOAK` gives another one, so that the tests of a change take minutes.
/// `Scripts/soak` gives 20.
package enum Soak {
  package static let factor = Double(ProcessInfo.processInfo.environment["PERENNIAL_SOAK"] ?? "") ?? 0.2

  /// The number of rounds of a random test, of which there is at least one.
  ///
  /// - Parameter rounds: The number for a factor of 1.
  package static func rounds(_ rounds: Int) -> Int { max(1, Int(Double(rounds) * factor)) }

  /// The positions that a test tries, evenly spread: all of them for a factor of 1 and above.
  package static func sample(_ positions: Range<Int>) -> StrideTo<Int> {
    stride(from: positions.lowerBound, to: positions.upperBound, by: max(1, Int(1 / factor)))
  }
}
