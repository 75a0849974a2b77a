import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection after a response with `Connection: close`, so that the rest of a rejected request is not read.
final class ClosingHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private var isClosing = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .head(let head) = part { isClosing = head.headerFields[.connection] == "close" }
    guard case .end = part, isClosing else { return context.write(data, promise: promise) }
    context.writeAndFlush(data, promise: promise)
    context.close(promise: nil)
  }
}
