import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Testing

@Suite("Files of remote seeds")
struct RemoteFileTests {
  private static let seed = #"{"tags": [{"name": "News", "colour": {"$file": "colours/r d.txt"}}]}"#
  private static let path = "/seeds/colours/r%20d.txt"

  private static func digits(_ text: String) -> String {
    Checksum.of(text)
  }

  /// A server with the seed, the key's signature of it, and the file.
  private func server(
    seed: String = seed,
    file: @escaping @Sendable (HTTPRequestHead, Int) -> TestServer.Answer = { _, _ in
      .init("red", [("Content-Type", "text/plain")])
    }
  ) throws -> TestServer {
    try TestServer.start { request, count in
      request.uri.hasPrefix("/seeds/seed.json") ? .init(seed, [("ETag", "\"1\"")]) : file(request, count)
    }
  }

  @Test("files of a remote seed are fetched next to it, with its header fields and without its query")
  func fetched() throws {
    let server = try server()
    let store = try TagStore()
    try store.seed(server.url("/seeds/seed.json?token=secret")) { $0.headers = ["Authorization": "Bearer x"] }
    #expect(try store.tags() == ["News red"])
    #expect(server.requests.map(\.uri) == ["/seeds/seed.json?token=secret", Self.path])
    #expect(server.requests.allSatisfy { $0.headers.first(name: "Authorization") == "Bearer x" })
  }

  @Test("a changed file makes a new seed, even if the server's version of the seed is the same")
  func changed() throws {
    let server = try server { _, count in .init(count < 4 ? "red" : "blue") }
    let store = try TagStore()
    let url = server.url("/seeds/seed.json")
    #expect(try store.seed(url).total.created == 1)
    #expect(try store.seed(url).total.skipped == 1)
    #expect(try store.seed(url).total.updated == 1)
    #expect(try store.tags() == ["News blue"])
    #expect(server.requests.allSatisfy { !$0.headers.contains(name: "If-None-Match") })
  }

  @Test("files of a verified seed need a checksum in the seed, or must be allowed without")
  func verified() throws {
    for (seed, isAllowed, colour) in [
      (Self.seed, false, nil), (Self.seed, true, "red"),
      (Self.seed.replacing("}}]", with: ", \"$sha256\": \"\(Self.digits("red"))\"}}]"), false, "red"),
      (Self.seed.replacing("}}]", with: ", \"$sha256\": \"\(Self.digits("blue"))\"}}]"), true, nil),
    ] as [(String, Bool, String?)] {
      let server = try server(seed: seed)
      let store = try TagStore()
      func options(_ options: inout RemoteSeedOptions) {
        options.verification = .sha256(Self.digits(seed))
        options.allowsUnverifiedFiles = isAllowed
      }
      if let colour {
        try store.seed(server.url("/seeds/seed.json"), options)
        #expect(try store.tags() == ["News \(colour)"])
      } else {
        let error = try #require(try store.failure(server.url("/seeds/seed.json"), options))
        #expect(error.code == .notVerified)
        #expect(error.position?.key == "colour" && error.position?.line == 1)
      }
    }
  }

  @Test("a missing file ends the run with the record's error, and is not requested repeatedly")
  func missing() throws {
    let server = try server { _, _ in .init(status: .notFound) }
    let store = try TagStore()
    let error = try #require(try store.failure(server.url("/seeds/seed.json")) { _ in })
    #expect(error.code == .notFetched)
    #expect(error.problem == "the file \"colours/r d.txt\" cannot be had: the server answered 404 Not Found")
    #expect(error.position?.record == 1 && error.position?.key == "colour")
    #expect(try store.tags() == [])
  }

  @Test("files come from the seed's own server, and are not larger than allowed")
  func bounds() throws {
    let other = try TestServer.start { _, _ in .init("red") }
    let leading = try server { _, _ in
      var answer = TestServer.Answer(status: .found)
      answer["Location"] = other.url("/x").absoluteString
      return answer
    }
    let error = try #require(try TagStore().failure(leading.url("/seeds/seed.json")) { _ in })
    #expect(error.problem.contains("a redirect leads to another server"), "\(error)")
    #expect(other.requests.isEmpty)
    let large = try server { _, _ in .init(String(repeating: "x", count: 5000)) }
    let tooLarge = try #require(
      try TagStore().failure(large.url("/seeds/seed.json")) { $0.largestSize = 4000 }
    )
    #expect(tooLarge.code == .tooLarge)
  }

  @Test("files outside of the seed's folder are not requested")
  func outside() throws {
    for path in ["../x", "/x", "http://127.0.0.1/x", "..%2Fx"] {
      let server = try server(seed: #"{"tags": [{"name": "News", "colour": {"$file": "\#(path)"}}]}"#) {
        _,
        _ in
        .init(status: .notFound)
      }
      #expect(try TagStore().failure(server.url("/seeds/seed.json")) { _ in } != nil)
      // The percent sign is a character of the file's name.
      #expect(server.requests.dropFirst().allSatisfy { $0.uri == "/seeds/..%252Fx" })
    }
  }
}
