import Testing

@testable import ModelCompiler

@Suite("MD5")
struct MD5Tests {
  @Test("MD5 gives the digests of RFC 1321, in capitals")
  func md5() {
    #expect(MD5.hexadecimalDigest(of: []) == "D41D8CD98F00B204E9800998ECF8427E")
    #expect(MD5.hexadecimalDigest(of: Array("message digest".utf8)) == "F96B697D7CB7938D525A2F31AAF161D0")
    let long = String(repeating: "1234567890", count: 8)
    #expect(MD5.hexadecimalDigest(of: Array(long.utf8)) == "57EDF4A22BE3C955AC49DA2E2107B67A")
  }
}
