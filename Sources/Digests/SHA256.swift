package import Foundation

/// The digest SHA-256 of FIPS 180-4, of 32 bytes.
///
/// Models and seeds are known by it. A cryptography package is compiled only where signatures are verified: it takes longer than
/// all the rest, and twice where the plugin compiles a model.
package struct SHA256: Sendable {
  private var digest = BlockDigest<UInt32>()

  package init() {}

  package mutating func update(data: some ContiguousBytes) {
    data.withUnsafeBytes { digest.update($0) }
  }

  /// The digest of all that was given so far.
  package func finalize() -> [UInt8] { digest.finalized() }

  package static func hash(data: some ContiguousBytes) -> [UInt8] {
    var hash = Self()
    hash.update(data: data)
    return hash.finalize()
  }
}
