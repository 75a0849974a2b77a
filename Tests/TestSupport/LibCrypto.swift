#if !canImport(CryptoKit)
  import Foundation

  /// The system's libcrypto, with which tests compare this package's own digests and signature checks.
  /// `Scripts/setup` installs it.
  // The stored addresses stay valid, because the library is never closed.
  package final class LibCrypto: @unchecked Sendable {
    package static let shared = LibCrypto()

    private typealias Digest =
      @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias NewKey =
      @convention(c) (Int32, UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> UnsafeMutableRawPointer?
    private typealias GetKey =
      @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32
    private typealias NewContext = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias BeginSigning =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?,
        UnsafeMutableRawPointer?
      ) -> Int32
    private typealias Sign =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>, UnsafeRawPointer?, Int
      ) -> Int32

    /// NID_ED25519 of OpenSSL.
    private static let ed25519: Int32 = 1087

    private let library: UnsafeMutableRawPointer

    private init() {
      guard let library = dlopen("libcrypto.so.3", RTLD_NOW) ?? dlopen("libcrypto.so.1.1", RTLD_NOW) else {
        fatalError("libcrypto is not installed: run Scripts/setup")
      }
      self.library = library
    }

    private func function<Function>(_ name: String, _: Function.Type) -> Function {
      guard let address = dlsym(library, name) else { fatalError("libcrypto has no function \(name)") }
      return unsafeBitCast(address, to: Function.self)
    }

    // MARK: - Digests

    package func sha256(_ message: [UInt8]) -> [UInt8] { digest("SHA256", 32, message) }

    package func sha512(_ message: [UInt8]) -> [UInt8] { digest("SHA512", 64, message) }

    /// https://docs.openssl.org/3.0/man3/SHA256_Init/
    private func digest(_ name: String, _ size: Int, _ message: [UInt8]) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: size)
      _ = function(name, Digest.self)(message, message.count, &digest)
      return digest
    }

    // MARK: - Signatures

    /// https://docs.openssl.org/3.0/man3/EVP_PKEY_new/
    func withPrivateKey(_ seed: Data, _ body: (UnsafeMutableRawPointer) -> Data) -> Data {
      let bytes = [UInt8](seed)
      let make = function("EVP_PKEY_new_raw_private_key", NewKey.self)
      guard let key = make(Self.ed25519, nil, bytes, bytes.count) else { return Data() }
      defer { function("EVP_PKEY_free", Free.self)(key) }
      return body(key)
    }

    func publicKey(of key: UnsafeMutableRawPointer) -> Data {
      var bytes = [UInt8](repeating: 0, count: 32)
      var count = bytes.count
      let isRead = function("EVP_PKEY_get_raw_public_key", GetKey.self)(key, &bytes, &count) == 1
      return isRead ? Data(bytes) : Data()
    }

    /// https://docs.openssl.org/3.0/man3/EVP_DigestSignInit/
    func signature(of message: Data, by key: UnsafeMutableRawPointer) -> Data {
      let context = function("EVP_MD_CTX_new", NewContext.self)()
      defer { function("EVP_MD_CTX_free", Free.self)(context) }
      let message = [UInt8](message)
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      guard function("EVP_DigestSignInit", BeginSigning.self)(context, nil, nil, nil, key) == 1,
        function("EVP_DigestSign", Sign.self)(context, &bytes, &count, message, message.count) == 1
      else { return Data() }
      return Data(bytes)
    }
  }
#endif
