package import Foundation

/// The digest SHA-512 of FIPS 180-4, of 64 bytes.
///
/// Stores keep one of all version hashes of their model.
package struct SHA512: Sendable {
  private var digest = BlockDigest<UInt64>()

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
