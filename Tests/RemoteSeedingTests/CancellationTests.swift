import CoreData
import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import Synchronization
import Testing

/// Every server here lets the client wait for hours, so a run that ends was cancelled.
@Suite("Runs that are cancelled while they wait for a server", .timeLimit(.minutes(60)))
struct CancellationTests {
  /// The phase in which the client waits.
  enum Phase: CaseIterable {
    case connection
    case handshake
    case answer
    case body
    case nextTry
  }

  @Test("canceling a task or progress ends a run fast", arguments: Phase.allCases, CancelledRun.Way.allCases)
  func phases(phase: Phase, way: CancelledRun.Way) async throws {
    let error = try await Self.cancel(in: phase, way)
    #expect(error?.code == .cancelled)
    #expect(error?.problem == "seeding was cancelled, and the store is as it was")
  }

  @Test(
    "a canceled run ends before the lookup of a name does",
    .enabled(if: SlowLookup.isHeld, "this libcurl does not look names up by the C library")
  )
  func lookup() async throws {
    let url = try #require(URL(string: "https://\(SlowLookup.host)/seed.json"))
    let run = CancelledRun(.task)
    async let outcome = run.seed(url)
    await SlowLookup.waitForBegin()
    run.cancel()
    let error = try await outcome
    // The lookup ends only at this point.
    SlowLookup.end()
    #expect(error?.code == .cancelled)
  }

  @Test("a canceled run does not use the fallback")
  func fallback() async throws {
    let run = CancelledRun(.task)
    let server = try TestServer.start { _, _ in
      run.cancel()
      return .init(silent: ())
    }
    let old = SeedSource.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "bundled.json")
    #expect(try await run.seed(server.url("/seed.json"), fallback: old)?.code == .cancelled)
  }

  @Test(
    "a run can be canceled while a file of the seed or a signature is fetched",
    arguments: ["colours/red.txt", "seed.json.sig"]
  )
  func furtherFiles(path: String) async throws {
    let run = CancelledRun(.task)
    let seed = #"{"tags": [{"name": "News", "colour": {"$file": "colours/red.txt"}}]}"#
    let server = try TestServer.start { request, _ in
      guard request.uri.hasSuffix(path) else { return .init(seed) }
      run.cancel()
      return .init(silent: ())
    }
    let error = try await run.seed(server.url("/seed.json")) { options in
      if path.hasSuffix(".sig") { options.verification = .ed25519(publicKey: Data(count: 32)) }
    }
    #expect(error?.code == .cancelled)
  }

  @Test("canceled runs leave neither file descriptors nor threads")
  func leftovers() async {
    await #expect(processExitsWith: .success) {
      for phase in Phase.allCases { _ = try await Self.cancel(in: phase, .task) }
      let before = try await ProcessResources.settled()
      for _ in 0..<10 {
        for phase in Phase.allCases {
          let error = try await Self.cancel(in: phase, .task)
          #expect(error?.code == .cancelled)
        }
      }
      // The servers are in this process too, and notice later that a connection has ended.
      #expect(try await ProcessResources.wait { $0.descriptors <= before.descriptors })
      // Dispatch's threads come and go. One thread per run would be 50.
      #expect(try await ProcessResources.wait { $0.threads <= before.threads + 10 })
    }
  }

  /// Cancels a run when it has reached a phase.
  ///
  /// - Returns: The error of the run.
  private static func cancel(in phase: Phase, _ way: CancelledRun.Way) async throws -> SeedError? {
    let run = CancelledRun(way)
    switch phase {
    case .connection:
      let port = try FullPort()
      let url = port.url
      async let outcome = run.seed(url)
      while !port.isTried { try await Task.sleep(for: .milliseconds(2)) }
      run.cancel()
      return try await outcome
    case .handshake:
      let server = try HeldServer { run.cancel() }
      return try await run.seed(server.url)
    case .answer:
      let server = try TestServer.start { _, _ in
        run.cancel()
        return .init(silent: ())
      }
      return try await run.seed(server.url("/seed.json"))
    case .body:
      // More bytes than the buffers of two sockets hold.
      let count = 30_000_000
      let server = try TestServer.start(whenSent: { if $0 > count { run.cancel() } }) { _, _ in
        var answer = TestServer.Answer(String(repeating: " ", count: 100_000))
        answer.ending = .endless
        return answer
      }
      return try await run.seed(server.url("/seed.json"))
    case .nextTry:
      // The client closes the connection when it has read the answer.
      let server = try TestServer.start(whenClosed: { run.cancel() }) { _, _ in
        var answer = TestServer.Answer(status: .serviceUnavailable)
        answer["Retry-After"] = "3600"
        return answer
      }
      return try await run.seed(server.url("/seed.json"))
    }
  }
}

extension TestServer.Answer {
  /// The server sends no answer.
  fileprivate init(silent: Void) {
    self.init()
    ending = .silent
  }
}
