import Deflate
import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import TestSupport
import Testing

@Suite("An application's header fields and their destinations")
struct HeaderFieldTests {
  private static let names = ["Authorization", "X-Api-Key", "Cookie"]

  private func addFields(_ options: inout RemoteSeedOptions) {
    for name in Self.names { options.headers[name] = "secret" }
  }

  /// The header field names of each request that a server received.
  private func names(_ server: TestServer) -> [[String]] {
    server.requests.map { request in Self.names.filter(request.headers.contains(name:)) }
  }

  @Test("a redirect to another server drops the header fields, and so does one that leads back")
  func otherOrigin() throws {
    let other = try TestServer.start { _, count in
      count == 0 ? .init(TagStore.news) : .init(status: .notFound)
    }
    let target = other.url("/seed.json").absoluteString
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(status: .found)
      answer["Location"] = target
      return answer
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json")) { addFields(&$0) }
    #expect(try store.tags() == ["News red"])
    #expect(names(server) == [Self.names])
    #expect(names(other) == [[]])
  }

  @Test("a redirect to another server and back drops the header fields for good")
  func wayBack() throws {
    let first = Reference()
    let other = try TestServer.start { _, _ in
      var answer = TestServer.Answer(status: .temporaryRedirect)
      answer["Location"] = first.text
      return answer
    }
    let target = other.url("/away").absoluteString
    let server = try TestServer.start { request, _ in
      if request.uri == "/back.json" { return .init(TagStore.news) }
      var answer = TestServer.Answer(status: .permanentRedirect)
      answer["Location"] = target
      return answer
    }
    first.text = server.url("/back.json").absoluteString
    let store = try TagStore()
    try store.seed(server.url("/seed.json")) { addFields(&$0) }
    #expect(try store.tags() == ["News red"])
    #expect(names(server) == [Self.names, []])
    #expect(names(other) == [[]])
  }

  @Test("a redirect within the server keeps them, by path or URL", arguments: [true, false])
  func sameOrigin(isRelative: Bool) throws {
    let base = Reference()
    let server = try TestServer.start { request, _ in
      if request.uri == "/b/seed.json?x=1" { return .init(TagStore.news) }
      var answer = TestServer.Answer(status: .movedPermanently)
      answer["Location"] = isRelative ? "b/seed.json?x=1" : base.text + "b/seed.json?x=1"
      return answer
    }
    base.text = server.url("/").absoluteString
    try TagStore().seed(server.url("/seed.json")) { addFields(&$0) }
    #expect(names(server) == [Self.names, Self.names])
  }

  @Test("redirects without end, to other schemes and to http without verification are errors")
  func badRedirects() throws {
    for (location, words) in [
      ("/seed.json", "the server leads from one URL to the next without end"),
      ("file:///etc/passwd", "a redirect leads to file, and a remote seed is fetched over http or https"),
      ("http://seeds.invalid/seed.json", "a redirect leads to http, and what comes over http can be changed"),
    ] {
      let server = try TestServer.start { _, _ in
        var answer = TestServer.Answer(status: .found)
        answer["Location"] = location
        return answer
      }
      let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retries = 0 })
      #expect(error.problem.hasPrefix(words), "\(error)")
      #expect(server.requests.count == 1)
    }
    let server = try TestServer.start { _, count in
      var answer = TestServer.Answer(status: .found)
      answer["Location"] = "/\(count).json"
      return answer
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")))
    #expect(error.problem == "the server leads from one URL to the next without end")
    #expect(server.requests.count == 6)
  }

  @Test("the signature is asked for with them on the seed's server, and without them on another")
  func signatures() throws {
    let key = SigningKey()
    let signature = key.signature(for: Data(TagStore.news.utf8)).base64EncodedString()
    for isElsewhere in [false, true] {
      let other = try TestServer.start { _, _ in .init(signature) }
      let server = try TestServer.start { request, _ in
        .init(request.uri == "/seed.json" ? TagStore.news : signature)
      }
      try TagStore().seed(server.url("/seed.json")) {
        addFields(&$0)
        let url = isElsewhere ? other.url("/seed.sig") : nil
        $0.verification = .ed25519(signatureAt: url, publicKey: key.publicKey)
      }
      #expect(names(server) == (isElsewhere ? [Self.names] : [Self.names, Self.names]))
      #expect(names(other) == (isElsewhere ? [[]] : []))
    }
  }

  @Test(
    "a field that would make another request of a request is an error before anything is asked",
    arguments: [
      ("X-Key", "a\r\nX-Other: b"), ("X-Key", "a\nb"), ("X-Key", "a\rb"), ("X-Key", "a\0b"),
      ("X-Key", "a\u{7F}"),
      ("X-Key: a\r\nX-Other", "b"), ("X Key", "b"), ("X-Key:", "b"), ("", "b"), ("X-Kéy", "b"),
      ("Content-Length", "5"), ("transfer-encoding", "chunked"),
    ]
  )
  func injection(name: String, value: String) throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) { $0.headers = [name: value] }
    )
    #expect(error.code == .notFetched)
    #expect(!error.description.contains("Other: b"))
    #expect(server.requests.isEmpty)
  }

  @Test("a field without a value, and one with a tab and letters of any language, are sent as they are")
  func values() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    try TagStore().seed(server.url("/seed.json")) {
      $0.headers = ["X-Empty": "", "X-Text": "a\tb; ü", "user-agent": "Own", "Accept-Encoding": "gzip"]
    }
    let fields = try #require(server.requests.first?.headers)
    #expect(fields["X-Empty"] == [""])
    #expect(fields["X-Text"] == ["a\tb; ü"])
    #expect(fields["User-Agent"] == ["Own"])
    #expect(fields["Accept-Encoding"] == ["gzip"])
  }

  @Test("the size limit applies to the decompressed seed")
  func expansion() throws {
    let text = "{\"tags\": [\(String(repeating: " ", count: 5_000_000))]}"
    let packed = try Deflate.compressed(Data(text.utf8), wrapping: .gzip)
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer("", [("Content-Type", "application/gzip")])
      answer.body = packed
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json.gz")) { $0.largestSize = 1_000_000 }
    )
    #expect(error.code == .tooLarge)
    #expect(error.problem == "the file expands to more than the 1000000 bytes that are allowed")
    try TagStore().seed(server.url("/seed.json.gz")) { $0.largestSize = 6_000_000 }
  }

  @Test("a server's text is shortened and escaped in an error, and no delay is too long")
  func words() throws {
    let long = String(repeating: "x", count: 2000)
    let server = try TestServer.start { _, _ in .init(TagStore.news, [("Content-Type", "text/\(long)")]) }
    let error = try #require(try TagStore().failure(server.url("/seed.json")))
    #expect(error.code == .wrongContentType && error.description.count < 400)

    let silent = try TestServer.start { _, _ in
      var answer = TestServer.Answer(status: .serviceUnavailable)
      answer["Retry-After"] = "1e300"
      return answer
    }
    let unavailable = try TagStore().failure(silent.url("/seed.json")) {
      $0.timeout = .seconds(Int64.max)
      $0.totalTimeout = .seconds(Int64.max)
      $0.retryDelay = .seconds(Int64.max)
    }
    #expect(unavailable?.code == .notFetched)
  }
}

/// A text that is set after the closures that use it were made.
private final class Reference: @unchecked Sendable {
  // Set once, before the first request.
  var text = ""
}
