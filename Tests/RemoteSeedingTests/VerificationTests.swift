import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import TestSupport
import Testing

@Suite("Verification of remote seeds")
struct VerificationTests {
  /// SHA-256 of `TagStore.news`.
  private let checksum = Checksum.of(TagStore.news).uppercased()
  private let key = SigningKey()

  private var publicKey: Data { key.publicKey }

  @Test("a seed with the right checksum is taken, and not asked for again")
  func rightChecksum() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let store = try TagStore()
    for _ in 0..<2 { try store.seed(server.url("/seed.json")) { $0.verification = .sha256(checksum) } }
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.count == 1)
  }

  @Test("a seed with another checksum is not")
  func wrongChecksum() throws {
    let server = try TestServer.start { _, _ in .init(#"{"tags": [{"name": "Forged"}]}"#) }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { $0.verification = .sha256(checksum) }
    )
    #expect(error.code == .notVerified)
    #expect(error.problem.hasSuffix("and \(checksum.lowercased()) was expected"))
    #expect(server.requests.count == 1)
  }

  @Test("another checksum than that of the stored seed requests the whole seed")
  func newChecksum() throws {
    let server = try TestServer.start { _, count in
      .init(count == 0 ? #"{"tags": [{"name": "Old"}]}"# : TagStore.news, [("ETag", "\"1\"")])
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    try store.seed(server.url("/seed.json")) { $0.verification = .sha256(checksum) }
    #expect(try store.tags() == ["News red", "Old -"])
    #expect(server.requests.last?.headers.contains(name: "If-None-Match") == false)
  }

  @Test(
    "a signed seed is taken, the signature being given as bytes, in Base64 or in digits",
    arguments: 0..<3
  )
  func signed(spelling: Int) throws {
    let signature = key.signature(for: Data(TagStore.news.utf8))
    let body: Data =
      switch spelling {
      case 0: signature
      case 1: Data((signature.base64EncodedString() + "\n").utf8)
      default: Data(signature.map { String(format: "%02x", $0) }.joined().utf8)
      }
    let server = try TestServer.start { request, _ in
      guard request.uri == "/seed.json.sig" else { return .init(TagStore.news) }
      var answer = TestServer.Answer("", [("Content-Type", "application/pgp-signature")])
      answer.body = body
      return answer
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json")) { $0.verification = .ed25519(publicKey: publicKey) }
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.map(\.uri) == ["/seed.json", "/seed.json.sig"])
  }

  @Test("a signature that is known beforehand is not asked for")
  func knownSignature() throws {
    let signature = key.signature(for: Data(TagStore.news.utf8))
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let store = try TagStore()
    try store.seed(server.url("/seed.json")) {
      $0.verification = .ed25519(signature: signature, publicKey: publicKey)
    }
    #expect(server.requests.count == 1)
  }

  @Test("wrong signature: by another key, of another seed, none at all", arguments: 0..<3)
  func wrongSignature(kind: Int) throws {
    let signature =
      switch kind {
      case 0: SigningKey().signature(for: Data(TagStore.news.utf8))
      case 1: key.signature(for: Data("{}".utf8))
      default: Data("<html>".utf8)
      }
    let server = try TestServer.start { request, _ in
      var answer = TestServer.Answer(TagStore.news)
      if request.uri.hasSuffix(".sig") { answer.body = signature }
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { $0.verification = .ed25519(publicKey: publicKey) }
    )
    #expect(error.code == .notVerified)
    #expect(
      error.problem
        == (kind == 2
          ? "this is not an Ed25519 signature"
          : "the seed is not the one that was signed, or not signed with this key")
    )
  }

  @Test("a missing signature is an error of its URL")
  func missingSignature() throws {
    let server = try TestServer.start { request, _ in
      request.uri.hasSuffix(".sig") ? .init(status: .notFound) : .init(TagStore.news)
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { $0.verification = .ed25519(publicKey: publicKey) }
    )
    #expect(error.position?.file == server.url("/seed.json.sig").absoluteString)
  }

  @Test("an invalid checksum or key is an error before any request")
  func nonsense() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    for verification in [SeedVerification.sha256("abc"), .ed25519(publicKey: Data([1, 2, 3]))] {
      let error = try #require(
        try TagStore().failure(server.url("/seed.json")) { $0.verification = verification }
      )
      #expect(error.code == .notVerified)
    }
    #expect(server.requests.isEmpty)
  }

  @Test("http from another machine has to be verified")
  func unprotected() throws {
    let url = try #require(URL(string: "http://seeds.invalid/seed.json"))
    let error = try #require(try TagStore().failure(url))
    #expect(
      error.description == """
        http://seeds.invalid/seed.json: what comes over http can be changed by anybody on the way; use https, or give \
        the seed's checksum or signature
        """
    )
  }

  @Test("a URL of another scheme is refused", arguments: ["ftp://localhost/seed.json", "file:///seed.json"])
  func scheme(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(try TagStore().failure(url)?.code == .notFetched)
  }
}
