import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

@Suite(
  "Certificates of servers",
  .enabled(if: CertificateAuthority.isAvailable, "openssl and python3 are not both installed"),
  .timeLimit(.minutes(60))
)
struct CertificateTests {
  @Test("certificates of a trusted authority are accepted, and the connection is reused for the signature")
  func trusted() throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority)
    let store = try TagStore()
    try store.seed(server.url("/seed.json")) { options in
      options.transfer.authorities = CertificateAuthorities(file: authority.file.path)
    }
    #expect(try store.tags() == ["News red"])
    #expect(try server.stop() == ["/seed.json"])
  }

  @Test("certificates of an untrusted authority are refused, without a request or a retry")
  func untrusted() throws {
    let authority = try CertificateAuthority()
    let other = try CertificateAuthority()
    let server = try TLSServer(authority)
    for authorities in [CertificateAuthorities(), CertificateAuthorities(file: other.file.path)] {
      let error = try #require(
        try TagStore().failure(server.url("/seed.json")) { $0.transfer.authorities = authorities }
      )
      #expect(error.code == .notFetched)
      #expect(error.problem.hasPrefix("the server's certificate is not trusted: "), "\(error.problem)")
      #expect(!error.problem.contains("tried"))
    }
    #expect(try server.stop().isEmpty)
  }

  @Test(
    "expired certificates and those of other hosts are refused, without a request or a retry",
    arguments: [CertificateAuthority.Fault.expired, .otherHost]
  )
  func wrong(fault: CertificateAuthority.Fault) throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority, fault)
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { options in
        options.transfer.authorities = CertificateAuthorities(file: authority.file.path)
      }
    )
    #expect(error.code == .notFetched)
    #expect(error.problem.hasPrefix("the server's certificate is not trusted: "), "\(error.problem)")
    #expect(!error.problem.contains("tried"))
    #expect(try server.stop().isEmpty)
  }

  @Test("certificates cannot be checked if the authorities' file is unreadable")
  func noAuthorities() throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority)
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { options in
        options.transfer.authorities = CertificateAuthorities(file: "/nonexistent.pem")
      }
    )
    #expect(error.problem.hasPrefix("the certificates of authorities cannot be read: "), "\(error.problem)")
    #expect(error.remedy.contains("ca-certificates"))
  }

  @Test("certificates are checked with the authorities in the environment, like curl does")
  func environment() throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority)
    for variables in [
      [
        "CURL_CA_BUNDLE": authority.file.path, "SSL_CERT_FILE": "/nonexistent",
        "SSL_CERT_DIR": "/nonexistent",
      ],
      ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": authority.file.path],
      ["SSL_CERT_DIR": try authority.hashedFolder().path],
    ] {
      try TagStore().seed(server.url("/seed.json")) {
        $0.transfer.authorities = CertificateAuthorities(variables)
      }
    }
  }

  @Test("a redirect from https to http is followed only if the seed is verified")
  func downgrade() throws {
    // An address of this machine that the client does not recognize as a loopback address.
    let plain = try TestServer.start(host: "127.0.0.2") { _, _ in .init(TagStore.news) }
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority, target: plain.url("/seed.json").absoluteString)
    let authorities = CertificateAuthorities(file: authority.file.path)
    let error = try #require(
      try TagStore().failure(server.url("/moved.json")) { options in
        options.transfer.authorities = authorities
        options.headers = ["Authorization": "secret"]
      }
    )
    #expect(error.code == .notVerified)
    #expect(error.problem.hasPrefix("a redirect leads to http, and what comes over http can be changed"))
    #expect(plain.requests.isEmpty)

    let store = try TagStore()
    try store.seed(server.url("/moved.json")) { options in
      options.transfer.authorities = authorities
      options.headers = ["Authorization": "secret"]
      options.verification = .sha256(Checksum.of(TagStore.news))
    }
    #expect(try store.tags() == ["News red"])
    #expect(plain.requests.map { $0.headers.contains(name: "Authorization") } == [false])
  }
}
