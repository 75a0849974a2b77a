import Foundation
import TestSupport

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// The digests of a cryptography library, as a reference.
enum Reference {
  #if canImport(CryptoKit)
    static func sha256(_ message: [UInt8]) -> [UInt8] { Array(CryptoKit.SHA256.hash(data: message)) }
    static func sha512(_ message: [UInt8]) -> [UInt8] { Array(CryptoKit.SHA512.hash(data: message)) }
  #else
    static func sha256(_ message: [UInt8]) -> [UInt8] { LibCrypto.shared.sha256(message) }
    static func sha512(_ message: [UInt8]) -> [UInt8] { LibCrypto.shared.sha512(message) }
  #endif
}
