import Foundation

/// How long the random tests run.
///
/// `PERENNIAL_SOAK=20 Scripts/test --filter Random` runs 20 times as many rounds as usual. CI runs a part of them.
package enum Soak {
  package static let factor = Double(ProcessInfo.processInfo.environment["PERENNIAL_SOAK"] ?? "") ?? 1

  /// The number of rounds of a random test, of which there is at least one.
  package static func rounds(_ usual: Int) -> Int { max(1, Int(Double(usual) * factor)) }
}
