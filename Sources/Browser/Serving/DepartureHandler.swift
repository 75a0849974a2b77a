import NIOCore
import StoreExploration

/// Tells the client of a connection to have left, when the connection is closed at its side.
///
/// The body of a request could tell as well, but not one that was changed before it came to a page.
final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Any

  let client = ReadClient()

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, case .inputClosed = event { client.leave() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    client.leave()
    context.fireChannelInactive()
  }
}
