public import Foundation

/// The checksum or signature that a remote seed has to be held against before it is read.
public struct SeedVerification: Sendable {
  enum Kind {
    case checksum(String)
    case signature(Data, by: Data)
    case signatureFile(URL?, by: Data)
  }

  let kind: Kind

  /// The seed's SHA-256 in hexadecimal digits, as `sha256sum` prints it. A store that took in a
  /// seed with this checksum does not ask the server at all.
  ///
  /// ```swift
  /// let checksum = "7b1b6e0b2a8ffe1ee2a1b1f1d20fb2f1d2d2a8cf3b2f2f6a8f8f0f5f2a9c3d11"
  /// let source = SeedSource.file(url, verification: .sha256(checksum))
  /// do {
  ///   try await Seeder(source).run(in: container)
  /// } catch let error as SeedError where error.code == .notVerified {
  ///   print("this is another file: \(error.problem)")
  /// }
  /// ```
  public static func sha256(_ digits: String) -> SeedVerification {
    SeedVerification(kind: .checksum(digits.lowercased()))
  }

  /// A detached Ed25519 signature (RFC 8032) of the seed's bytes that is known beforehand.
  /// - Parameters:
  ///   - signature: The signature's 64 bytes.
  ///   - publicKey: The key's 32 bytes.
  public static func ed25519(signature: Data, publicKey: Data) -> SeedVerification {
    SeedVerification(kind: .signature(signature, by: publicKey))
  }

  /// A detached Ed25519 signature (RFC 8032) of the seed's bytes that is fetched after the seed: 64
  /// bytes, or these in Base64 or in hexadecimal digits.
  /// - Parameters:
  ///   - url: The URL of the signature; nil for the seed's URL with `.sig` after its path.
  ///   - publicKey: The key's 32 bytes.
  public static func ed25519(signatureAt url: URL? = nil, publicKey: Data) -> SeedVerification {
    SeedVerification(kind: .signatureFile(url, by: publicKey))
  }
}

/// Bytes of a key or a signature, spelled in Base64 or in hexadecimal digits.
package struct SpelledBytes {
  package let bytes: Data

  /// Nil for a text that does not spell as many bytes.
  package init?(_ text: String, count: Int) {
    let text = text.filter { !$0.isWhitespace }
    let read = HexadecimalText.bytes(text).map { Data($0) } ?? Data(base64Encoded: text)
    guard let read, read.count == count else { return nil }
    bytes = read
  }
}
