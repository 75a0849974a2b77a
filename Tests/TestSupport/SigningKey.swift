package import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// An Ed25519 key (RFC 8032) that signs seeds.
package struct SigningKey: Sendable {
  /// The 32 bytes of the private key.
  private let seed: Data

  /// The 32 bytes of the public key.
  package let publicKey: Data

  /// Makes a new key.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(seed: Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
  }

  /// - Parameter seed: The 32 bytes of the private key.
  package init(seed: Data) {
    self.seed = seed
    publicKey = Self.publicKey(seed)
  }

  #if canImport(CryptoKit)
    private static func publicKey(_ seed: Data) -> Data {
      (try? Curve25519.Signing.PrivateKey(rawRepresentation: seed).publicKey.rawRepresentation) ?? Data()
    }

    /// The 64 bytes of the message's signature.
    package func signature(for message: Data) -> Data {
      (try? Curve25519.Signing.PrivateKey(rawRepresentation: seed).signature(for: message)) ?? Data()
    }
  #else
    private static func publicKey(_ seed: Data) -> Data {
      LibCrypto.shared.withPrivateKey(seed) { LibCrypto.shared.publicKey(of: $0) }
    }

    /// The 64 bytes of the message's signature.
    package func signature(for message: Data) -> Data {
      LibCrypto.shared.withPrivateKey(seed) { LibCrypto.shared.signature(of: message, by: $0) }
    }
  #endif
}
