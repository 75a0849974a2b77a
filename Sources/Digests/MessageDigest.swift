import CDigests
package import Foundation

/// A digest of a message that arrives in pieces.
package protocol MessageDigest: Sendable {
  init()
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// Returns the digest of all bytes added so far.
  func finalize() -> [UInt8]
}

extension MessageDigest {
  package mutating func update(data: some ContiguousBytes) {
    data.withUnsafeBytes { update($0) }
  }

  package static func hash(data: some ContiguousBytes) -> [UInt8] {
    var digest = Self()
    digest.update(data: data)
    return digest.finalize()
  }
}

/// The digest SHA-256 of FIPS 180-4, of 32 bytes.
///
/// It identifies models and seeds. The package has its own implementation, because a cryptography package takes
/// longer to compile than this whole package. It would be compiled twice where the plugin compiles a model.
package struct SHA256: MessageDigest {
  private var digest = BlockDigest<UInt32>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }

  /// Returns the first 64 bits of the digest of a whole message, for millions of short messages: it allocates nothing.
  package static func prefix(ofDigestOf message: UnsafeRawBufferPointer) -> UInt64 {
    perennial_sha256_prefix(
      UInt32.initialState,
      message.baseAddress?.assumingMemoryBound(to: UInt8.self),
      message.count
    )
  }
}

/// The digest SHA-512 of FIPS 180-4, of 64 bytes.
///
/// A store keeps the digest of all version hashes of its model.
package struct SHA512: MessageDigest {
  private var digest = BlockDigest<UInt64>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }
}
