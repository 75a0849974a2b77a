import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server on the loopback interface that sends the answers that a test chooses.
final class TestServer: Sendable {
  /// How an answer ends.
  enum Ending {
    /// After its last byte.
    case whole
    /// The server closes the connection after half of the body.
    case cutOff
    /// The server resets the connection after half of the body.
    case reset
    /// After its last byte. Each byte is sent separately.
    case slow
    /// Never: the server sends nothing.
    case silent
    /// Never: the server sends half of the body and nothing more.
    case stalled
    /// Never: the server sends the body repeatedly until the client closes the connection.
    case endless
  }

  struct Answer {
    var status: HTTPResponseStatus = .ok
    var fields: [(String, String)] = [("Content-Type", "application/json")]
    var body = Data()
    var ending: Ending = .whole
    /// False if the answer has no Content-Length.
    var tellsLength = true

    init(_ text: String = "", _ fields: [(String, String)] = []) {
      body = Data(text.utf8)
      for field in fields { self[field.0] = field.1 }
    }

    init(status: HTTPResponseStatus) { self.status = status }

    subscript(name: String) -> String? {
      get { fields.first { $0.0 == name }?.1 }
      set {
        fields.removeAll { $0.0 == name }
        if let newValue { fields.append((name, newValue)) }
      }
    }
  }

  fileprivate struct State {
    var requests: [HTTPRequestHead] = []
    var bytesSent = 0
  }

  private let channel: any Channel
  private let state: Mutex<State>
  private let answer: @Sendable (HTTPRequestHead, Int) -> Answer
  private let whenSent: @Sendable (Int) -> Void

  /// Starts a server.
  /// - Parameters:
  ///   - whenClosed: Called when a connection has ended.
  ///   - whenSent: Called with the number of bytes of endless bodies that went out so far.
  ///   - answer: Gets a request and how many there were before it.
  static func start(
    host: String = "127.0.0.1",
    whenClosed: @escaping @Sendable () -> Void = {},
    whenSent: @escaping @Sendable (Int) -> Void = { _ in },
    _ answer: @escaping @Sendable (HTTPRequestHead, Int) -> Answer
  ) throws -> TestServer {
    let box = ServerBox()
    let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(AnswerHandler(box))
          channel.closeFuture.whenComplete { _ in whenClosed() }
        }
      }
      .bind(host: host, port: 0).wait()
    let server = TestServer(channel, answer, whenSent)
    box.server = server
    return server
  }

  private init(
    _ channel: any Channel,
    _ answer: @escaping @Sendable (HTTPRequestHead, Int) -> Answer,
    _ whenSent: @escaping @Sendable (Int) -> Void
  ) {
    self.channel = channel
    self.answer = answer
    self.whenSent = whenSent
    state = Mutex(State())
  }

  deinit { channel.close(promise: nil) }

  func url(_ path: String) -> URL {
    URL(string: "http://\(channel.localAddress?.ipAddress ?? ""):\(channel.localAddress?.port ?? 0)\(path)")
      ?? URL(fileURLWithPath: "/")
  }

  var requests: [HTTPRequestHead] { state.withLock { $0.requests } }

  /// The number of bytes that were sent of endless bodies.
  var bytesSent: Int { state.withLock { $0.bytesSent } }

  fileprivate func answer(to request: HTTPRequestHead) -> Answer {
    let count = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    return answer(request, count)
  }

  fileprivate func noteSent(_ count: Int) {
    let sum = state.withLock { state in
      state.bytesSent += count
      return state.bytesSent
    }
    whenSent(sum)
  }
}

/// A box for the server of a channel, which is made after the channel.
private final class ServerBox: Sendable {
  private struct Reference {
    weak var server: TestServer?
  }

  private let reference = Mutex(Reference())

  var server: TestServer? {
    get { reference.withLock { $0.server } }
    set { reference.withLock { $0.server = newValue } }
  }
}

private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let box: ServerBox
  private var request: HTTPRequestHead?

  init(_ box: ServerBox) {
    self.box = box
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = head
    case .body: break
    case .end:
      guard let request, let server = box.server else { return context.close(promise: nil) }
      send(server.answer(to: request), of: server, context)
    }
  }

  private func send(_ answer: TestServer.Answer, of server: TestServer, _ context: ChannelHandlerContext) {
    if answer.ending == .silent { return }
    var fields = HTTPHeaders(answer.fields)
    if answer.tellsLength, answer.ending != .endless, answer.status != .notModified,
      !fields.contains(name: "Content-Length")
    {
      fields.add(name: "Content-Length", value: "\(answer.body.count)")
    }
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let isCut = [.cutOff, .reset, .stalled].contains(answer.ending)
    let part = isCut ? answer.body.prefix(answer.body.count / 2) : answer.body
    if answer.ending == .slow {
      for byte in part {
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: [byte])))), promise: nil)
      }
    } else if !part.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: part)))), promise: nil)
    }
    switch answer.ending {
    case .whole, .slow, .silent: context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    case .stalled: context.flush()
    case .cutOff:
      context.flush()
      context.close(promise: nil)
    case .reset:
      context.flush()
      // Closing a connection that lingers for zero seconds resets it: socket(7).
      let lingering = (context.channel as? any SocketOptionProvider)?
        .setSoLinger(linger(l_onoff: 1, l_linger: 0))
      let channel = context.channel
      lingering?.whenComplete { _ in channel.close(promise: nil) }
    case .endless:
      context.flush()
      goOn(ByteBuffer(bytes: answer.body), of: server, context)
    }
  }

  private func goOn(_ buffer: ByteBuffer, of server: TestServer, _ context: ChannelHandlerContext) {
    let context = NIOLoopBound(context, eventLoop: context.eventLoop)
    let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
    context.value.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer)))).whenSuccess {
      server.noteSent(buffer.readableBytes)
      // A write that does not wait calls back immediately. Without this hop, the stack would grow with each write while the
      // client reads fast enough.
      context.value.eventLoop.execute { handler.value.goOn(buffer, of: server, context.value) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
