import Foundation
import NIOHTTP1
import Seeding
import TestSupport
import Testing

@testable import RemoteSeeding

@Suite("Many requests to a server that fails in every way", .timeLimit(.minutes(60)))
struct TransferStressTests {
  /// The ways in which the answers end, in turn.
  private static let endings: [TestServer.Ending] = [.whole, .cutOff, .slow, .reset, .whole]

  @Test("many failing requests leave no file descriptor and no memory behind")
  func stress() async {
    await #expect(processExitsWith: .success) {
      let body = String(repeating: "0123456789", count: 20)
      let server = try TestServer.start { request, _ in
        // libcurl repeats the request on a new connection when an old one is reset before the answer.
        let number = Int(request.uri.dropFirst()) ?? 0
        var answer = TestServer.Answer(body)
        answer.ending = Self.endings[number % Self.endings.count]
        answer.tellsLength = number % 3 != 0
        return answer
      }
      let file = try TemporaryFile()
      // The first requests create what is created once: the library, buffers, threads.
      try Self.ask(server, file, count: 200)
      let before = try await ProcessResources.settled()
      // 10,000 requests in Scripts/soak.
      try Self.ask(server, file, count: Int(500 * Double(Soak.factor)))
      // The server is in this process too, and notices later that a connection has ended.
      #expect(try await ProcessResources.wait { $0.descriptors <= before.descriptors })
      let growth = ProcessResources.current.memory - before.memory
      #expect(growth < 32 << 20, "\(growth) bytes")
    }
  }

  /// Makes requests, some of which share a connection.
  private static func ask(_ server: TestServer, _ file: TemporaryFile, count: Int) throws {
    var options = RemoteSeedOptions()
    options.retries = 0
    var outcomes: [SeedError.Code?: Int] = [:]
    for start in stride(from: 0, to: count, by: 10) {
      let client = SeedClient(options: options, cancellation: SeedCancellation())
      defer { client.close() }
      for number in start..<min(count, start + 10) {
        let place = RemoteLocation(server.url("/\(number)"))
        do {
          _ = try client.get(SeedRequest(place: place, largestSize: 1000), into: file.url)
          outcomes[nil, default: 0] += 1
        } catch let error as SeedError {
          outcomes[error.code, default: 0] += 1
        }
      }
    }
    // Three of five answers are complete.
    #expect(outcomes == [nil: count * 3 / 5, .notFetched: count * 2 / 5])
  }
}
