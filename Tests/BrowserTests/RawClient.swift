import HTTPTestClient
import NIOCore
import Testing

@testable import Browser

extension BrowsedStore {
  /// Sends bytes as they are and returns everything that the server answers until it closes the connection.
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

/// An HTTP client that sends bytes unchanged, also those that are not a valid request.
enum RawClient {
  static func send(_ text: String, port: Int) async throws -> String {
    try await listen(text, port: port) { _ in false }
  }

  /// Sends bytes and reads the answer until a closure has seen enough of it.
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
        // The server closed the connection before it had read everything.
      }
      return answer
    }
  }
  /// Sends a head, reads the beginning of the answer, and sends pieces of a body until the server stops accepting them.
  ///
  /// - Parameters:
  ///   - piece: the bytes that are sent repeatedly.
  ///   - most: the maximum number of pieces.
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
        // The connection was closed: the pieces that were sent before are counted.
      }
      return (answer, sent)
    }
  }

  /// True if the server dropped the connection or answered with a status of 4xx.
  static func isRefusal(_ answer: String) -> Bool { answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") }
}
