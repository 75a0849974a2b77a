import CDigests
import Digests
import Foundation
import TestSupport
import Testing

@Suite("Digests")
struct DigestTests {
  private static func text(_ digest: [UInt8]) -> String { digest.map { String(format: "%02x", $0) }.joined() }

  private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
  private static let twoLongBlocks = """
    abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst\
    nopqrstu
    """

  @Test(
    "SHA-256 gives the digests of FIPS 180-4, for messages of one block and of several",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
  )
  func sha256(message: String, digest: String) {
    #expect(Self.text(SHA256.hash(data: Data(message.utf8))) == digest)
  }

  @Test("The first 64 bits of a whole message are those of its SHA-256, for every length up to four blocks")
  func prefix() {
    for count in 0...256 {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
      let whole = SHA256.hash(data: message).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(message.withUnsafeBytes(SHA256.prefix(ofDigestOf:)) == whole, "\(count) bytes")
    }
  }

  @Test("a processor's instructions for SHA-256 give the same as the rounds in C", arguments: 0...9)
  func instructions(blocks count: Int) {
    var random = SplitMix(seed: UInt64(count))
    for _ in 0..<50 {
      let blocks = (0..<count * 64).map { _ in UInt8.random(in: 0...255, using: &random) }
      var state = (0..<8).map { _ in UInt32.random(in: 0 ... .max, using: &random) }
      var portable = state
      perennial_sha256_add(&state, blocks, count)
      perennial_sha256_add_portably(&portable, blocks, count)
      #expect(state == portable)
    }
  }

  @Test(
    "SHA-512 gives the digests of FIPS 180-4, for messages of one block and of several",
    arguments: [
      (
        "",
        """
        cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81\
        a538327af927da3e
        """
      ),
      (
        "abc",
        """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e\
        2a9ac94fa54ca49f
        """
      ),
      (
        twoLongBlocks,
        """
        8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd2654\
        5e96e55b874be909
        """
      ),
      (
        String(repeating: "a", count: 1_000_000),
        """
        e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e\
        4eadb217ad8cc09b
        """
      ),
    ]
  )
  func sha512(message: String, digest: String) {
    #expect(Self.text(SHA512.hash(data: Data(message.utf8))) == digest)
  }

  @Test(
    "messages of each length have the digest that a cryptography library gives them, in one piece or in many"
  )
  func lengths() {
    var message: [UInt8] = []
    for length in 0..<600 {
      #expect(SHA256.hash(data: message) == Reference.sha256(message))
      #expect(SHA512.hash(data: message) == Reference.sha512(message))
      var (short, long) = (SHA256(), SHA512())
      var rest = message[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(1 + (length * 7 + rest.count * 13) % 150))
        short.update(data: piece)
        long.update(data: piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(short.finalize() == SHA256.hash(data: message))
      #expect(long.finalize() == SHA512.hash(data: message))
      message.append(UInt8(truncatingIfNeeded: length &* 31 &+ 7))
    }
  }

  @Test("a digest can be asked for while more is to come")
  func goingOn() {
    var hash = SHA256()
    hash.update(data: Data("a".utf8))
    _ = hash.finalize()
    hash.update(data: Data("bc".utf8))
    #expect(hash.finalize() == SHA256.hash(data: Data("abc".utf8)))
  }
}
