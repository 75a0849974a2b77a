package import Foundation

/// A digest of a message that comes in pieces.
package protocol MessageDigest: Sendable {
  init()
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// The digest of all that was given so far.
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
/// Models and seeds are known by it. It is not a cryptography package's, because such a package
/// takes longer to compile than all of this one, and twice where the plugin compiles a model.
package struct SHA256: MessageDigest {
  private var digest = BlockDigest<UInt32>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }
}

/// The digest SHA-512 of FIPS 180-4, of 64 bytes.
///
/// Stores keep one of all version hashes of their model.
package struct SHA512: MessageDigest {
  private var digest = BlockDigest<UInt64>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }
}
