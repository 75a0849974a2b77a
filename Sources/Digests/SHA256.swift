/// The digest SHA-256 of FIPS 180-4, of 32 bytes.
///
/// Models and seeds are known by it. A cryptography package is compiled only where signatures are
/// verified: it takes longer than all the rest, and twice where the plugin compiles a model.
package struct SHA256: MessageDigest {
  private var digest = BlockDigest<UInt32>()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

  package func finalize() -> [UInt8] { digest.finalized() }
}
