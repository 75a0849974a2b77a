import Foundation
import HTTPTestClient
import Testing

@testable import Browser

@Suite("Requests byte by byte")
struct RawRequestTests {
  @Test(
    "A request for another host is refused, so that a DNS name cannot be rebound to this machine",
    arguments: [
      "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2",
      "0.0.0.0", "127.0.0.1:80:80", "127.0.0.1:x", "localhost@evil.example", "[::2]", "",
      "EVIL.EXAMPLE", "LOCALHOST.EVIL.EXAMPLE", "localhost.", "127.0.0.1.", "127.1", "2130706433",
      "0x7f000001",
      "0177.0.0.1", "user:password@localhost", "evil.example@localhost", "localhost:80@evil.example",
      "localhost:80 evil.example", "localhost, evil.example", "localhost/evil.example",
      "localhost#evil.example",
      "localhost\\.evil.example", "localhost:80\u{301}", "l\u{F6}calhost", "localhost\u{301}",
      "localhost:\u{FF18}\u{FF10}", "127.0.0.1%00.evil.example", "xn--localhost-", "[::1].evil.example",
      "[::1]x",
      "::1", "[::1%25lo]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", "[::1", ":80", "http://localhost",
    ]
  )
  func foreignHost(host: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(
      "GET / HTTP/1.1\r\nHost: \(host)\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    )
    #expect(answer.hasPrefix("HTTP/1.1 421"), "\(host): \(answer.prefix(80))")
  }

  @Test(
    "A request for any of the machine's own names is answered",
    arguments: ["127.0.0.1", "localhost:80", "[::1]:9"]
  )
  func ownHost(host: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(
      "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    )
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(host): \(answer.prefix(80))")
  }

  @Test(
    "A request with two hosts is refused, whichever comes first",
    arguments: [
      "Host: localhost\r\nHost: evil.example", "Host: evil.example\r\nHost: localhost",
      "Host: localhost\r\nHost: localhost", "Host: localhost\r\nhOsT: evil.example",
    ]
  )
  func twoHosts(hosts: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send("GET / HTTP/1.1\r\n\(hosts)\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 421"), "\(answer.prefix(80))")
  }

  @Test("A request for another host gets no cookie from the address of the token")
  func foreignOpening() async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(
      "GET \(BrowsedStore.token.path) HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    )
    #expect(answer.hasPrefix("HTTP/1.1 421"), "\(answer.prefix(80))")
    #expect(!answer.lowercased().contains("set-cookie"))
  }

  @Test("A request from a page on another port is refused, and one from the same port is answered")
  func originOfAnotherPort() async throws {
    let store = try BrowsedStore()
    for (origin, status) in [("http://localhost:81", "403"), ("http://localhost:80", "200")] {
      let answer = try await store.send(
        """
        GET / HTTP/1.1\r\nHost: localhost:80\r\nOrigin: \(origin)\r\nConnection: close\r\n\
        Cookie: \(BrowsedStore.cookie)\r\n\r\n
        """
      )
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(origin): \(answer.prefix(80))")
    }
  }

  @Test("Several requests on one connection are checked separately")
  func pipelined() async throws {
    let store = try BrowsedStore()
    let good = "GET /assets/icon.svg HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    let answer = try await store.send(good + good.replacing("localhost", with: "evil.example"))
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(80))")
    #expect(answer.contains("HTTP/1.1 421"))
  }

  @Test("A request without a host is refused")
  func noHost() async throws {
    let store = try BrowsedStore()
    let answer = try await store.send("GET / HTTP/1.1\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(80))")
  }

  @Test(
    "Bytes that are not a request end the connection",
    arguments: [
      "\r\n\r\nGARBAGE\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
      "GET /\u{0} HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /a\u{1}b HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", "GET / HTTPS/1.1\r\nHost: localhost\r\n\r\n",
      "GOT / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: local\u{0}host\r\n\r\n",
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    ]
  )
  func garbage(text: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(text)
    #expect(!answer.contains("200 OK"))
  }

  @Test("Connections that do not go on are closed, and others are answered meanwhile and after")
  func slowConnections() async throws {
    var limits = BrowserServer.ConnectionLimits()
    limits.idle = .seconds(2)
    let store = try BrowsedStore(limits: limits)
    try await store.server.application().test(.live) { client in
      let port = try #require(client.port)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          // Returns when the server closes the connection, and only then.
          group.addTask { _ = try await RawClient.send("GET / HTTP/1.1\r\nHost: loc", port: port) }
        }
        // On a busy machine this request may be too late as well, so it is sent again.
        let request =
          "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\nConnection: close\r\n\r\n"
        while try await !RawClient.send(request, port: port).contains("200 OK") {}
        try await group.waitForAll()
      }
    }
  }
}
