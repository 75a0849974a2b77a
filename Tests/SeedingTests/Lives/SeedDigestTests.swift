import CoreData
import Foundation
import Testing

@testable import Seeding

/// Ledgers of stores that exist contain these digests. With others, each value would seem to be a user's change.
@Suite("Digests of the ledger")
struct SeedDigestTests {
  /// Calculated from the description of the format by another implementation of SHA-256.
  private static let known: [(value: PlannedValue, digest: UInt64)] = [
    (.null, 0x5FECEB66FFC86F38),
    (.integer(-7), 0xBE0E4565D847A2DF),
    (.double(0.5), 0x7EA799FA7057748D),
    (.bool(true), 0x1DBAEE018ED2DEB6),
    (.date(Date(timeIntervalSinceReferenceDate: 1)), 0x6F222BF631EFE6FC),
    (.data(Data([1, 255])), 0x054F6247C59129BF),
    (.string(""), 0x76CA65FA532EFEA2),
    (.string("Thyme"), 0x54242283A7D51DAA),
    (.string("Caf\u{E9}"), 0xD21DFA62E7F193D7),
    (.string("Cafe\u{301}"), 0xD21DFA62E7F193D7),
    (.string(String(repeating: "a", count: 200)), 0x9D8794A7FC14E6FF),
    (.string(String(repeating: "e\u{301}", count: 100)), 0x6C7C2A302F283A93),
  ]

  @Test("the digest of a value is the one that ledgers contain", arguments: known.indices)
  func values(number: Int) {
    let (value, digest) = Self.known[number]
    #expect(SeedDigest.of(value) == digest)
    var digests: [UInt64?] = []
    SeedDigest.forEach(of: [value, .null, value]) { digests.append($0) }
    #expect(digests == [digest, Self.known[0].digest, digest])
  }
}
