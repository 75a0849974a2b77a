import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import Browser

@Suite("Requests byte by byte")
struct RawRequestTests {
  @Test(
    "for another host are refused, so that no name can be made to lead here",
    arguments: [
      "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2",
      "0.0.0.0", "127.0.0.1:80:80", "127.0.0.1:x", "localhost@evil.example", "[::2]", "",
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
    "by any of the machine's own names are answered",
    arguments: ["127.0.0.1", "localhost:80", "[::1]:9"]
  )
  func ownHost(host: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(
      "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    )
    #expect(answer.hasPrefix("HTTP/1.1 200"), "\(host): \(answer.prefix(80))")
  }

  @Test("without a host are refused")
  func noHost() async throws {
    let store = try BrowsedStore()
    let answer = try await store.send("GET / HTTP/1.1\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(80))")
  }

  @Test("A body of 100 MB is refused before it is read, and the connection closed")
  func hugeBody() async throws {
    let store = try BrowsedStore()
    for field in ["Content-Length: 104857600", "Transfer-Encoding: chunked"] {
      let answer = try await store.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\(field)\r\n\r\nthe beginning"
      )
      #expect(answer.hasPrefix("HTTP/1.1 405"), "\(answer.prefix(80))")
      let read = try await store.send(
        "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\(field)\r\n\r\nthe beginning"
      )
      #expect(read.hasPrefix("HTTP/1.1 413"), "\(read.prefix(80))")
    }
  }

  @Test(
    "What is no request ends the connection",
    arguments: ["\r\n\r\nGARBAGE\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n"]
  )
  func garbage(text: String) async throws {
    let store = try BrowsedStore()
    let answer = try await store.send(text)
    #expect(!answer.contains("200 OK"))
  }

  @Test("A head without end is refused")
  func hugeHead() async throws {
    let store = try BrowsedStore()
    let field = "X-Long: " + String(repeating: "x", count: 200_000)
    let answer = try await store.send("GET / HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
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
          // Returns when the server has closed the connection: nothing else ends it.
          group.addTask { _ = try await RawClient.send("GET / HTTP/1.1\r\nHost: loc", port: port) }
        }
        // On a busy machine this one may be too late as well: then it is sent again.
        let request =
          "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\nConnection: close\r\n\r\n"
        while try await !RawClient.send(request, port: port).contains("200 OK") {}
        try await group.waitForAll()
      }
    }
  }
}

extension BrowsedStore {
  /// The answer to some bytes, until the server closes the connection.
  func send(_ text: String) async throws -> String {
    try await server.application().test(.live) { client in
      try await RawClient.send(text, port: try #require(client.port))
    }
  }
}

/// Sends bytes as they are.
enum RawClient {
  static func send(_ text: String, port: Int) async throws -> String {
    try await listen(text, port: port) { _ in false }
  }

  /// Sends bytes, and reads the answer until there is enough of it.
  @discardableResult
  static func listen(
    _ text: String,
    port: Int,
    until isEnough: @escaping @Sendable (String) throws -> Bool
  ) async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var answer = ""
      do {
        for try await part in inbound {
          answer += String(buffer: part)
          if try isEnough(answer) { break }
        }
      } catch is ChannelError {
      } catch is IOError {
        // The server has not read all before it closed the connection.
      }
      return answer
    }
  }
}
