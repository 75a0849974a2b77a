/// The digest SHA-512 of FIPS 180-4, of 64 bytes.
///
/// Stores keep one of all version hashes of their model.
package struct SHA512: MessageDigest {
  private var digest = BlockDigest<UInt64>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }
}
