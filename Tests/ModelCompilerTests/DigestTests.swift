import Foundation
import Testing

@testable import ModelCompiler

@Suite("Digests")
struct DigestTests {
  @Test(
    "SHA-256 gives the digests of the standard, for messages of one block and of several",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ]
  )
  func sha256(message: String, digest: String) {
    let bytes = SHA256.digest(of: Data(message.utf8))
    #expect(bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined() == digest)
  }

  @Test("MD5 gives the digests of RFC 1321, in capitals")
  func md5() {
    #expect(MD5.hexadecimalDigest(of: []) == "D41D8CD98F00B204E9800998ECF8427E")
    #expect(MD5.hexadecimalDigest(of: Array("message digest".utf8)) == "F96B697D7CB7938D525A2F31AAF161D0")
    let long = String(repeating: "1234567890", count: 8)
    #expect(MD5.hexadecimalDigest(of: Array(long.utf8)) == "57EDF4A22BE3C955AC49DA2E2107B67A")
  }
}
