import Deflate
import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

@Suite("Answers that are compressed on the way, and the limit of their size")
struct SizeLimitTests {
  /// A seed of five million bytes that gzip compresses by a factor of a thousand.
  private static let bomb = "{\"tags\": [\(String(repeating: " ", count: 5_000_000))]}"

  /// An answer whose body has a content encoding of HTTP.
  private static func answer(_ body: Data, _ encoding: String) -> TestServer.Answer {
    var answer = TestServer.Answer("", [("Content-Encoding", encoding)])
    answer.body = body
    return answer
  }

  @Test(
    "the size limit applies to the decompressed answer, with and without Content-Length",
    arguments: [true, false]
  )
  func bomb(tellsLength: Bool) throws {
    var answer = Self.answer(try Deflate.compressed(Data(Self.bomb.utf8), wrapping: .gzip), "gzip")
    answer.tellsLength = tellsLength
    let server = try TestServer.start { [answer] _, _ in answer }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.largestSize = 1_000_000 })
    #expect(error.code == .tooLarge)
    #expect(error.problem == "the answer has more than the 1000000 bytes that are allowed")
    #expect(server.requests.count == 1)
    try TagStore().seed(server.url("/seed.json")) { $0.largestSize = 6_000_000 }
  }

  @Test("the limit holds for the compressed bytes, which may expand to nothing", arguments: [true, false])
  func compressedBytes(tellsLength: Bool) throws {
    // The header of a gzip file may have a name of any length (RFC 1952, section 2.3.1).
    let name = Data([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3]) + Data(repeating: 0x61, count: 2_000_000)
    var answer = Self.answer(name, "gzip")
    answer.tellsLength = tellsLength
    let server = try TestServer.start { [answer] _, _ in answer }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.largestSize = 1_000_000 })
    #expect(error.code == .tooLarge)
  }

  @Test("a length that no number holds is too large")
  func hugeLength() throws {
    let server = try TestServer.start { _, _ in
      .init(TagStore.news, [("Content-Length", "99999999999999999999999")])
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")))
    #expect(error.code == .tooLarge || error.code == .notFetched)
  }

  @Test(
    "an answer in gzip, in DEFLATE with its header or without is the seed that it expands to",
    arguments: [Deflate.Wrapping.gzip, .zlib, .raw],
    [true, false]
  )
  func encodings(wrapping: Deflate.Wrapping, isSlow: Bool) throws {
    let encoding = wrapping == .gzip ? "GZIP" : "deflate"
    var answer = Self.answer(try Deflate.compressed(Data(TagStore.news.utf8), wrapping: wrapping), encoding)
    if isSlow { answer.ending = .slow }
    let server = try TestServer.start { [answer] _, _ in answer }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.first?.headers.first(name: "Accept-Encoding") == "gzip, deflate")
  }

  @Test("a truncated compression is an error, even if the answer has its stated length")
  func brokenCompression() throws {
    let whole = try Deflate.compressed(Data(TagStore.news.utf8), wrapping: .gzip)
    for body in [Data(whole.dropLast(4)), Data(whole.prefix(12)), Data("plain".utf8)] {
      let server = try TestServer.start { _, _ in Self.answer(body, "gzip") }
      let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retries = 1 })
      #expect(error.code == .notFetched)
      #expect(error.problem.hasPrefix("the answer is not compressed as its header says, or breaks off"))
      #expect(server.requests.count == 2)
    }
  }

  @Test("a compression that was not asked for is named")
  func otherEncoding() throws {
    let server = try TestServer.start { _, _ in Self.answer(Data(TagStore.news.utf8), "br") }
    let error = try #require(try TagStore().failure(server.url("/seed.json")))
    #expect(error.code == .notFetched)
    #expect(error.problem.hasPrefix("the server compresses the answer by br"))
    #expect(server.requests.count == 1)
  }

  @Test("the header of an answer has an end")
  func header() throws {
    let server = try TestServer.start { _, _ in
      .init(TagStore.news, (0..<400).map { ("X-Field-\($0)", String(repeating: "x", count: 1000)) })
    }
    let error = try #require(try TagStore().failure(server.url("/seed.json")) { $0.retries = 0 })
    #expect(error.code == .notFetched)
  }
}
