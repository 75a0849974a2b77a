import Hummingbird
import NIOCore

/// The request context of the command's own server. It also contains the connection's channel.
struct BrowserRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
