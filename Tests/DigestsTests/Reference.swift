import Crypto

/// What a cryptography library says.
enum Reference {
  static func sha256(_ message: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: message)) }
  static func sha512(_ message: [UInt8]) -> [UInt8] { Array(SHA512.hash(data: message)) }
}
