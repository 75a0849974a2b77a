import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix

/// A TCP connection to a port of this machine.
package enum LoopbackConnection {
  /// Opens a connection that carries raw bytes.
  package static func open(port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await open(port: port, configure: { _ in })
  }

  /// Sends one request over HTTP/1.1, and closes the connection after the response.
  static func exchange(_ request: HTTPRequest, body: ByteBuffer?, port: Int) async throws -> TestResponse {
    let channel: NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart> = try await open(port: port) { channel in
      try channel.pipeline.syncOperations.addHTTPClientHandlers()
      try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPClientCodec())
    }
    return try await channel.executeThenClose { inbound, outbound in
      // The parts are flushed together, so that a server that refuses the head and closes the connection has
      // already received the body.
      try await outbound.write(contentsOf: [.head(request)] + (body.map { [.body($0)] } ?? []) + [.end(nil)])
      var head: HTTPResponse?
      var bytes = ByteBuffer()
      for try await part in inbound {
        switch part {
        case .head(let response): head = response
        case .body(var piece): bytes.writeBuffer(&piece)
        case .end: if let head { return TestResponse(head: head, body: bytes) }
        }
      }
      throw IncompleteResponse(head: head)
    }
  }

  private static func open<Inbound: Sendable, Outbound: Sendable>(
    port: Int,
    configure: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> NIOAsyncChannel<Inbound, Outbound> {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try configure(channel)
          return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// The server closed the connection before the end of its response.
  struct IncompleteResponse: Error {
    let head: HTTPResponse?
  }
}
