import Crypto
import Foundation

/// The digests that version hashes are made of.
enum ModelDigests {
  static func sha256(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }
  static func sha512(_ data: Data) -> Data { Data(SHA512.hash(data: data)) }
}
