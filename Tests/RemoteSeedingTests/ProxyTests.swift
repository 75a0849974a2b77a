import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

/// Each test runs in a process of its own, because the environment belongs to the whole process.
@Suite("Proxies that the environment names", .timeLimit(.minutes(60)))
struct ProxyTests {
  /// Fetches a seed with a checksum.
  private static func seed(_ text: String, _ store: TagStore) throws {
    try store.seed(try #require(URL(string: text))) {
      $0.verification = .sha256(Checksum.of(TagStore.news))
      $0.headers = ["Authorization": "secret"]
      $0.retries = 0
    }
  }

  private static func set(_ name: String, _ value: String) {
    for name in [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
    ] {
      unsetenv(name)
    }
    setenv(name, value, 1)
  }

  @Test("a proxy gets requests for seeds over http, with the whole URL")
  func http() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer.start { _, _ in .init(TagStore.news) }
      Self.set("http_proxy", proxy.url("").absoluteString)
      let store = try TagStore()
      try Self.seed("http://seeds.invalid/seed.json", store)
      #expect(try store.tags() == ["News red"])
      #expect(proxy.requests.map(\.uri) == ["http://seeds.invalid/seed.json"])
    }
  }

  @Test("a proxy tunnels to a server over https, and gets no header field of the request")
  func https() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer.start { _, _ in .init(status: .forbidden) }
      Self.set("https_proxy", proxy.url("").absoluteString)
      let error = #expect(throws: SeedError.self) {
        try Self.seed("https://seeds.invalid/seed.json", try TagStore())
      }
      #expect(error?.code == .notFetched)
      #expect(error?.problem == "no connection to the server: the proxy answered 403")
      #expect(proxy.requests.map(\.method) == [.CONNECT])
      #expect(proxy.requests.map(\.uri) == ["seeds.invalid:443"])
      #expect(proxy.requests.allSatisfy { !$0.headers.contains(name: "Authorization") })
    }
  }

  @Test("a proxy is not used for hosts that no_proxy names")
  func exceptions() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer.start { _, _ in .init(status: .forbidden) }
      // An address of this machine that the client does not recognize as a loopback address.
      let server = try TestServer.start(host: "127.0.0.2") { _, _ in .init(TagStore.news) }
      Self.set("http_proxy", proxy.url("").absoluteString)
      setenv("no_proxy", "127.0.0.2", 1)
      try Self.seed(server.url("/seed.json").absoluteString, try TagStore())
      #expect(server.requests.count == 1 && proxy.requests.isEmpty)
    }
  }

  @Test("a proxy is not used for http from this machine, which nothing else protects")
  func local() async {
    await #expect(processExitsWith: .success) {
      let proxy = try TestServer.start { _, _ in .init(status: .forbidden) }
      let server = try TestServer.start { _, _ in .init(TagStore.news) }
      Self.set("http_proxy", proxy.url("").absoluteString)
      try Self.seed(server.url("/seed.json").absoluteString, try TagStore())
      #expect(server.requests.count == 1 && proxy.requests.isEmpty)
    }
  }
}
