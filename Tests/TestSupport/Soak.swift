import Foundation

/// How much longer random tests run than usual: `PERENNIAL_SOAK=20 Scripts/test --filter Random`.
package enum Soak {
  package static let factor = Int(ProcessInfo.processInfo.environment["PERENNIAL_SOAK"] ?? "") ?? 1
}
