import NIOCore
import NIOHTTP1
import NIOPosix

/// The response to a GET request to a served site, which is read as it arrives.
struct StreamedResponse {
  let status: HTTPResponseStatus
  let headers: HTTPHeaders
  private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

  /// Sends a request through a new connection, which is closed when the closure returns.
  static func get<Value: Sendable>(
    _ uri: String,
    host: String = "localhost",
    port: Int,
    _ read: (inout StreamedResponse) async throws -> Value
  ) async throws -> Value {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel
          )
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: ["Host": host])
      try await outbound.write(contentsOf: [.head(head), .end(nil)])
      var parts = inbound.makeAsyncIterator()
      guard case .head(let answer) = try await parts.next() else { throw ChannelError.eof }
      var response = StreamedResponse(status: answer.status, headers: answer.headers, parts: parts)
      return try await read(&response)
    }
  }

  /// The next part of the body; nil at its end.
  mutating func next() async throws -> ByteBuffer? {
    switch try await parts.next() {
    case .body(let part): part
    case .end: nil
    case .head, nil: throw ChannelError.eof
    }
  }

  /// The rest of the body.
  mutating func text() async throws -> String {
    var bytes = ByteBuffer()
    while var part = try await next() { bytes.writeBuffer(&part) }
    return String(buffer: bytes)
  }
}
