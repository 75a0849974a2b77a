import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

@Suite("Fallbacks and forms of remote seeds")
struct FallbackTests {
  private let fallback = SeedSource.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "bundled.json")

  @Test("the fallback is imported when the seed is unavailable, and the report has the reason")
  func taken() throws {
    let server = try TestServer.start { _, _ in .init(status: .notFound) }
    let store = try TagStore()
    let report = try store.seed(server.url("/seed.json"), fallback: fallback)
    #expect(try store.tags() == ["Old -"])
    #expect(report.seeds.first?.wasSkipped == false)
    #expect(report.seeds.first?.fetchFailure?.contains("the server answered 404 Not Found") == true)
    #expect(try store.seed(server.url("/seed.json"), fallback: fallback).total.skipped == 1)
  }

  @Test("a store that took in the remote seed keeps it, though the fallback is another")
  func kept() throws {
    let server = try TestServer.start { _, count in
      count == 0 ? .init(TagStore.news) : .init(status: .notFound)
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"), fallback: fallback)
    let before = try store.bytes()
    let report = try store.seed(server.url("/seed.json"), fallback: fallback)
    #expect(try store.bytes() == before)
    #expect(report.seeds.first?.wasSkipped == true)
    #expect(report.seeds.first?.fetchFailure != nil)
  }

  @Test("the remote seed is imported after its fallback, once it is available")
  func late() throws {
    let server = try TestServer.start { _, count in
      count == 0 ? .init(status: .notFound) : .init(TagStore.news)
    }
    let store = try TagStore()
    for _ in 0..<2 { try store.seed(server.url("/seed.json"), fallback: fallback) }
    #expect(try store.tags() == ["News red", "Old -"])
  }

  @Test(
    "the fallback and the remote seed are one seed to pruning and to a merge",
    arguments: [SeedMode.upsert, .merge]
  )
  func oneSeed(mode: SeedMode) throws {
    let server = try TestServer.start { _, count in
      count == 0 ? .init(status: .notFound) : .init(TagStore.news)
    }
    let store = try TagStore()
    let text = #"{"tags": [{"name": "Old"}, {"name": "News", "colour": "blue"}]}"#
    var options = RemoteSeedOptions()
    options.retryDelay = .milliseconds(1)
    var seeder = Seeder(
      .url(
        server.url("/seed.json"),
        options: options,
        fallback: .data(Data(text.utf8), name: "bundled.json")
      ),
      mode: mode
    )
    seeder.pruning = .own
    try seeder.runAndWait(in: store.coordinator)
    #expect(try store.tags() == ["News blue", "Old -"])
    let report = try seeder.runAndWait(in: store.coordinator)
    #expect(report.conflicts == [])
    #expect(try store.tags() == ["News red"])
  }

  @Test("a local seed of the same name is another one than the remote seed")
  func otherSeed() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let store = try TagStore()
    try Seeder(.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "seed.json")).runAndWait(
      in: store.coordinator
    )
    var seeder = Seeder(.url(server.url("/seed.json")))
    seeder.pruning = .own
    try seeder.runAndWait(in: store.coordinator)
    #expect(try store.tags() == ["News red", "Old -"])
  }

  @Test("redirects are followed, and not without end")
  func redirects() throws {
    let server = try TestServer.start { request, _ in
      if request.uri == "/seed.json" { return .init(TagStore.news) }
      var answer = TestServer.Answer(status: .found)
      answer["Location"] = request.uri == "/circle.json" ? "/circle.json" : "/seed.json"
      return answer
    }
    let store = try TagStore()
    try store.seed(server.url("/moved.json"))
    #expect(try store.tags() == ["News red"])
    let error = try #require(try store.failure(server.url("/circle.json")))
    #expect(error.problem == "the server leads from one URL to the next without end")
  }

  @Test("a redirect to http of another machine is taken only when the seed is verified")
  func unprotectedRedirect() throws {
    // An address of this machine that the client does not recognize as a loopback address.
    let other = try TestServer.start(host: "127.0.0.2") { _, _ in .init(TagStore.news) }
    let target = other.url("/seed.json").absoluteString
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(status: .found)
      answer["Location"] = target
      return answer
    }
    let store = try TagStore()
    let error = try #require(try store.failure(server.url("/moved.json")))
    #expect(error.code == .notVerified)
    #expect(error.problem.hasPrefix("a redirect leads to http"))
    let digits = Checksum.of(TagStore.news)
    try store.seed(server.url("/moved.json")) { $0.verification = .sha256(digits) }
    #expect(try store.tags() == ["News red"])
  }

  @Test("a compressed seed is decompressed by libcurl or the seeder", arguments: [true, false])
  func compressed(isExpandedOnTheWay: Bool) throws {
    // The seed `{"tags": [{"name": "Small"}]}`, compressed by gzip.
    let data = try #require(
      Data(base64Encoded: "H4sIAAAAAAAC/6tWKklML1ayUoiuVspLzE0FspSCcxNzcpRqY2sBUO+yjR0AAAA=")
    )
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer("", [("Content-Type", "application/gzip")])
      answer.body = data
      if isExpandedOnTheWay {
        answer["Content-Type"] = "application/json"
        answer["Content-Encoding"] = "gzip"
      }
      return answer
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json.gz"))
    #expect(try store.tags() == ["Small -"])
  }

  @Test("the content type sets the format if neither URL nor name does")
  func format() throws {
    let server = try TestServer.start { _, _ in
      .init("tags:\n- name: News\n", [("Content-Type", "application/yaml")])
    }
    let store = try TagStore()
    try store.seed(server.url("/api/seed"))
    #expect(try store.tags() == ["News -"])
  }
}
