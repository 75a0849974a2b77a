import Foundation
import NIOCore
import NIOPosix

/// A server that accepts connections and never answers.
final class HeldServer: Sendable {
  private let channel: any Channel

  /// - Parameter whenReceived: Called when a connection has sent its first bytes.
  init(whenReceived: @escaping @Sendable () -> Void = {}) throws {
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(whenReceived))
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
  }

  deinit { channel.close(promise: nil) }

  /// A URL of the server. Its TLS handshake never completes.
  var url: URL {
    URL(string: "https://127.0.0.1:\(channel.localAddress?.port ?? 0)/seed.json") ?? URL(fileURLWithPath: "/")
  }

  private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let whenReceived: @Sendable () -> Void

    init(_ whenReceived: @escaping @Sendable () -> Void) { self.whenReceived = whenReceived }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { whenReceived() }
  }
}
