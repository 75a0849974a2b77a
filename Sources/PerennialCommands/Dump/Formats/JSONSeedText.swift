import Foundation
import Seeding

/// A seed in JSON: a line for each part of the header, for each entity and for each record.
struct JSONSeedText: SeedText {
  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data { try SeedJSON.data(of: seed) }
}
