import Foundation
import RemoteSeeding
import Seeding
import Testing

@Suite("The times that a server has", .timeLimit(.minutes(60)))
struct TimeoutTests {
  private func addTimes(_ options: inout RemoteSeedOptions) {
    options.timeout = .milliseconds(1500)
    options.totalTimeout = .seconds(36_000)
    options.retries = 1
  }

  @Test("a port that takes no connection is left after the timeout")
  func connection() throws {
    let port = try FullPort()
    let error = try #require(try TagStore().failure(port.url, addTimes))
    #expect(error.code == .notFetched)
    #expect(error.problem == "no connection came about within 1.500 s (tried 2 times)")
    #expect(!port.isTried)
  }

  @Test("a server that never answers the handshake of TLS is left after the timeout")
  func handshake() throws {
    let server = try HeldServer()
    let error = try #require(try TagStore().failure(server.url, addTimes))
    #expect(error.problem == "no connection came about within 1.500 s (tried 2 times)")
  }

  @Test("a server that falls silent in the middle of its answer is left after the timeout")
  func body() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(TagStore.news)
      answer.ending = .stalled
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) {
        addTimes(&$0)
        $0.timeout = .seconds(4)
      }
    )
    #expect(error.problem == "the server kept silent for 4 s (tried 2 times)")
  }

  @Test("the total time ends the wait for an answer, and no other try follows")
  func total() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer()
      answer.ending = .silent
      return answer
    }
    let error = try #require(
      try TagStore().failure(server.url("/seed.json")) {
        $0.timeout = .seconds(36_000)
        $0.totalTimeout = .seconds(3)
      }
    )
    #expect(error.problem == "the seed did not come within the total time that is allowed")
    #expect(server.requests.count == 1)
  }

  @Test("a server that sends a byte now and then is waited for")
  func slow() throws {
    let server = try TestServer.start { _, _ in
      var answer = TestServer.Answer(TagStore.news)
      answer.ending = .slow
      return answer
    }
    let store = try TagStore()
    try store.seed(server.url("/seed.json"))
    #expect(try store.tags() == ["News red"])
  }
}
