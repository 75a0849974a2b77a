import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

@Suite("Answers of servers")
struct AnswerTests {
  @Test("200: the seed is imported")
  func ok() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let store = try TagStore()
    let report = try store.seed(server.url("/seed.json"))
    #expect(report.description == "Tag: 1 created")
    #expect(report.seeds.map(\.name) == ["seed.json"])
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.map(\.uri) == ["/seed.json"])
  }

  @Test("304: the store's version is asked for, and nothing is written")
  func notModified() throws {
    let server = try TestServer.start { request, _ in
      if request.headers.contains(name: "If-None-Match") { return .init(status: .notModified) }
      return .init(
        TagStore.news,
        [("ETag", "\"1\""), ("Last-Modified", "Sun, 17 Mar 2024 13:45:39 GMT")]
      )
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    let before = try store.bytes()
    let report = try store.seed(server.url("/seed.json"))
    #expect(report.description == "Tag: 1 skipped")
    #expect(report.seeds.map(\.wasSkipped) == [true])
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.headers.first(name: "If-None-Match") == "\"1\"")
    #expect(
      server.requests.last?.headers.first(name: "If-Modified-Since") == "Sun, 17 Mar 2024 13:45:39 GMT"
    )
    #expect(try store.bytes() == before)
  }

  @Test("another store, another URL and the policy always ask for the whole seed")
  func unconditional() throws {
    let server = try TestServer.start { request, _ in
      if request.headers.contains(name: "If-None-Match") { return .init(status: .notModified) }
      return .init(TagStore.news, [("ETag", "\"1\"")])
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    #expect(try TagStore().seed(server.url("/seed.json")).total.created == 1)
    #expect(try store.seed(server.url("/seed.json?of=another")).total.skipped == 1)
    #expect(try store.seed(server.url("/seed.json"), policy: .always).total.unchanged == 1)
    #expect(server.requests.allSatisfy { !$0.headers.contains(name: "If-None-Match") })
  }

  @Test("404: one line with the URL and a remedy, without another try")
  func notFound() throws {
    let server = try TestServer.start { _, _ in .init(status: .notFound) }
    let error = try #require(try TagStore().failure(server.url("/seed.json?key=secret")))
    #expect(error.code == .notFetched)
    #expect(
      error.description == "\(server.url("/seed.json")): the server answered 404 Not Found; check the URL"
    )
    #expect(server.requests.count == 1)
  }

  @Test("500: tried again as often as was said")
  func serverError() throws {
    let server = try TestServer.start { _, _ in .init(status: .internalServerError) }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retries = 2 })
    #expect(error.code == .notFetched)
    #expect(
      error.description == """
        \(server.url("/seed.json")): the server answered 500 Internal Server Error (tried 3 times); \
        try again later, or ask who runs the server
        """
    )
    #expect(server.requests.count == 3)
  }

  @Test(
    "a server that recovers is heard",
    arguments: [HTTPResponseStatus.serviceUnavailable, .tooManyRequests]
  )
  func recovery(status: HTTPResponseStatus) throws {
    let server = try TestServer.start { _, count in
      guard count < 2 else { return .init(TagStore.news) }
      var answer = TestServer.Answer(status: status)
      answer["Retry-After"] = "0"
      return answer
    }
    let store = try TagStore()
    // The server sends Retry-After: 0, so the client does not wait.
    try store.seed(server.url("/seed.json")) { $0.retryDelay = .seconds(3600) }
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.count == 3)
  }

  @Test("a pause that is longer than the time that is left is not begun")
  func pause() throws {
    let server = try TestServer.start { _, _ in .init(status: .serviceUnavailable) }
    _ = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retryDelay = .seconds(3600) })
    #expect(server.requests.count == 1)
  }

  @Test("slow: a server that keeps silent is left after the timeout")
  func silent() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer()
      answer.ending = .silent
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) {
        $0.timeout = .seconds(4)
        $0.retries = 1
      }
    )
    #expect(error.code == .notFetched)
    #expect(error.description.contains("the server kept silent for 4 s (tried 2 times)"))
    #expect(server.requests.count == 2)
  }

  @Test("an answer that does not end is left after the total time")
  func endless() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(" ")
      answer.ending = .endless
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) {
        $0.totalTimeout = .seconds(3)
        $0.largestSize = .max
      }
    )
    #expect(error.description.contains("within the total time that is allowed"))
    #expect(server.requests.count == 1)
  }

  @Test("cut off: half a seed is refused and requested again")
  func cutOff() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(TagStore.news)
      answer.ending = .cutOff
      return answer
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retries = 1 })
    #expect(error.code == .notFetched)
    #expect(error.problem == "the answer breaks off before its end (tried 2 times)")
    #expect(server.requests.count == 2)
  }

  @Test("oversized: an answer with a Content-Length above the limit is not read")
  func oversized() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.largestSize = 10 })
    #expect(error.code == .tooLarge)
    #expect(error.problem == "the answer has more than the 10 bytes that are allowed")
    #expect(server.requests.count == 1)
  }

  @Test("oversized: an answer without a length is canceled at the limit")
  func oversizedStream() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(String(repeating: " ", count: 100_000))
      answer.ending = .endless
      return answer
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.largestSize = 1_000_000 })
    #expect(error.code == .tooLarge)
    // The socket buffers hold the rest.
    #expect(server.bytesSent < 30_000_000)
  }

  @Test("wrong type: an HTML page is refused as a seed")
  func wrongType() throws {
    let server = try TestServer.start { _, _ in
      .init("<html>Log in</html>", [("Content-Type", "text/html; charset=utf-8")])
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")))
    #expect(error.code == .wrongContentType)
    #expect(
      error.description == """
        \(server.url("/seed.json")): the server sends text/html, which is not a seed of this format; check the URL, or \
        have the server send the right type
        """
    )
    #expect(server.requests.count == 1)
  }

  @Test("no server: the error says that there is none")
  func noServer() throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/seed.json"))
    let error = try #require(try TagStore().failure(url) { $0.retries = 1 })
    #expect(error.code == .notFetched)
    #expect(error.problem.hasPrefix("no connection to the server: "))
    #expect(error.problem.hasSuffix("(tried 2 times)"))
  }

  @Test("a malformed seed's error has its URL, and the store is unchanged")
  func malformed() throws {
    let server = try TestServer.start { _, count in .init(count == 0 ? TagStore.news : "{\"tags\": [") }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    let error = try #require(try store.failure(server.url("/seed.json")))
    #expect(error.code == .brokenText)
    #expect(error.position?.file == server.url("/seed.json").absoluteString)
    #expect(try store.tags() == ["News red"])
  }
}
