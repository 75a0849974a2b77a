import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLoadedLibraries
#endif

/// An Ed25519 public key (RFC 8032), which verifies that its owner has signed data.
struct Ed25519PublicKey {
  /// The bytes of a key.
  static let size = 32

  /// The bytes of a signature.
  static let signatureSize = 64

  #if canImport(CryptoKit)
    private let key: Curve25519.Signing.PublicKey

    /// Nil for bytes that cannot be a key.
    init?(_ bytes: Data, _: TransferSettings) throws(LibraryFailure) {
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
      self.key = key
    }

    /// Returns true when a signature is one of the message by this key.
    func hasSigned(_ message: Data, with signature: Data) -> Bool { key.isValidSignature(signature, for: message) }
  #else
    private let bytes: Data
    private let crypto: CryptoLibrary

    /// Nil for bytes that cannot be a key.
    ///
    /// - Throws: A `LibraryFailure` when libcrypto cannot be loaded.
    init?(bytes: Data, settings: TransferSettings) throws(LibraryFailure) {
      guard bytes.count == Self.size else { return nil }
      self.bytes = bytes
      crypto = try CryptoLibrary.load(settings.cryptoFiles)
    }

    /// Returns true if the signature is valid for the message and this key.
    ///
    /// A signature is invalid whenever libcrypto rejects it, even if it rejects it for lack of memory.
    func hasSigned(_ message: Data, with signature: Data) -> Bool {
      // The queue of errors belongs to the thread, and other users of the library read it.
      defer { crypto.functions.pointee.clear_error() }
      let functions = crypto.functions.pointee
      guard signature.count == Self.signatureSize,
        let key = bytes.withUnsafeBytes({ bytes in
          bytes.bindMemory(to: UInt8.self).baseAddress.flatMap {
            functions.new_raw_public_key(Int32(PERENNIAL_CRYPTO_ED25519), nil, $0, bytes.count)
          }
        })
      else { return false }
      defer { functions.pkey_free(key) }
      guard let context = functions.md_ctx_new() else { return false }
      defer { functions.md_ctx_free(context) }
      // Ed25519 does not use a separate digest: https://docs.openssl.org/3.0/man7/EVP_SIGNATURE-ED25519/.
      guard functions.digest_verify_init(context, nil, nil, nil, key) == 1 else { return false }
      return signature.withUnsafeBytes { signature in
        message.withUnsafeBytes { message in
          let signatureBytes = signature.bindMemory(to: UInt8.self)
          let messageBytes = message.bindMemory(to: UInt8.self)
          guard let start = signatureBytes.baseAddress else { return false }
          return functions.digest_verify(
            context,
            start,
            signatureBytes.count,
            messageBytes.baseAddress,
            messageBytes.count
          ) == 1
        }
      }
    }
  #endif
}

#if !canImport(CryptoKit)
  /// OpenSSL's libcrypto, loaded.
  // The pointer is to a table that never changes and is never freed.
  private struct CryptoLibrary: @unchecked Sendable {
    let functions: UnsafePointer<perennial_crypto>

    /// Ed25519 came with OpenSSL 1.1.1: https://docs.openssl.org/3.0/man7/EVP_SIGNATURE-ED25519/.
    private static let standardFiles = ["libcrypto.so.3", "libcrypto.so.1.1"]

    /// The libcrypto of the system. It is loaded once, by the first thread that asks.
    private static let standard = Result { () throws(LibraryFailure) in try CryptoLibrary(standardFiles) }

    /// - Parameter files: The names of libcrypto's file; `nil` for the usual ones.
    static func load(_ files: [String]?) throws(LibraryFailure) -> CryptoLibrary {
      guard let files else { return try standard.get() }
      return try CryptoLibrary(files)
    }

    private init(_ files: [String]) throws(LibraryFailure) {
      let library = SystemLibrary(
        name: "libcrypto, which checks signatures,",
        files: files,
        packages: "apt-get install libssl3, or dnf install openssl-libs"
      )
      functions = try library.load { perennial_crypto_load($0, &$1) }
    }
  }
#endif
