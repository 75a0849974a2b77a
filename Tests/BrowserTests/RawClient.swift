import HTTPTestClient
import NIOCore
import Testing

@testable import Browser

extension BrowsedStore {
  /// The answer to some bytes, until the server closes the connection.
  func send(_ text: String) async throws -> String {
    try await server.application().test(.live) { client in
      try await RawClient.send(text, port: try #require(client.port))
    }
  }

  /// Sends a head and pieces of a body; see ``RawClient/flood(_:with:atMost:port:)``.
  func flood(_ head: String, with piece: ByteBuffer, atMost most: Int) async throws -> (
    answer: String, sent: Int
  ) {
    try await server.application().test(.live) { client in
      try await RawClient.flood(head, with: piece, atMost: most, port: try #require(client.port))
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
    let channel = try await LoopbackConnection.open(port: port)
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
  /// Sends a head, reads the beginning of the answer, and sends pieces of a body until nobody takes any.
  ///
  /// - Parameters:
  ///   - piece: what is sent again and again.
  ///   - most: the number of pieces that are sent at most.
  /// - Returns: the answer until the connection was closed, and the number of pieces that could be sent.
  static func flood(
    _ head: String,
    with piece: ByteBuffer,
    atMost most: Int,
    port: Int
  ) async throws -> (answer: String, sent: Int) {
    let channel = try await LoopbackConnection.open(port: port)
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: head))
      var parts = inbound.makeAsyncIterator()
      var (answer, sent) = ("", 0)
      while !answer.contains("\r\n\r\n"), let part = try await parts.next() { answer += String(buffer: part) }
      do {
        while sent < most {
          try await outbound.write(piece)
          sent += 1
        }
        while let part = try await parts.next() { answer += String(buffer: part) }
      } catch {
        // The connection was closed: what was sent until then counts.
      }
      return (answer, sent)
    }
  }

  /// True for the answer to what the server does not take for a request, and to one that it refuses.
  static func isRefusal(_ answer: String) -> Bool { answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") }
}
