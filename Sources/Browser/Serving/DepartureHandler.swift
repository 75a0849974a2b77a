import NIOCore
import StoreExploration

/// Notifies the read client of a connection when the connection's other side closes it.
///
/// A request's body reports this too, but not if another middleware has replaced the body.
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
