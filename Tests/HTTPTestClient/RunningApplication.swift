package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// An application that listens on a free port of 127.0.0.1 until it is released.
///
/// A test that sends several requests starts its server once: a start takes about as long as a request.
package final class RunningApplication: Sendable {
  /// Sends requests to the application.
  package let client: TestClient
  private let services: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts the application, and waits until it listens.
  ///
  /// - Throws: the error of a server that cannot start.
  package init(_ application: some ApplicationProtocol) async throws {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let services = ServiceGroup(
      services: [LoopbackApplication(base: application, listening: listening)],
      logger: application.logger
    )
    let running = Task {
      defer { listening.finish() }
      try await services.run()
    }
    guard let port = await ports.first(where: { _ in true }) else {
      try await running.value
      throw NoPort()
    }
    client = TestClient(port: port) { request, body in
      try await LoopbackConnection.exchange(request, body: body, port: port)
    }
    (self.services, self.running) = (services, running)
  }

  deinit { running.cancel() }

  /// Has the application end gracefully, and waits for the end.
  package func end() async throws {
    await services.triggerGracefulShutdown()
    try await running.value
  }
}

/// An application that listens on a free port of 127.0.0.1 instead of its own, and reports the port.
private struct LoopbackApplication<Base: ApplicationProtocol>: ApplicationProtocol {
  let base: Base
  let listening: AsyncStream<Int>.Continuation

  var responder: Base.Responder { get async throws { try await base.responder } }
  var server: HTTPServerBuilder { base.server }
  var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
  var logger: Logger { base.logger }
  var services: [any Service] { base.services }
  var processesRunBeforeServerStart: [@Sendable () async throws -> Void] {
    base.processesRunBeforeServerStart
  }

  var configuration: ApplicationConfiguration {
    var configuration = base.configuration
    configuration.address = .hostname("127.0.0.1", port: 0)
    return configuration
  }

  func onServerRunning(_ channel: any Channel) async {
    await base.onServerRunning(channel)
    if let port = channel.localAddress?.port { listening.yield(port) } else { listening.finish() }
  }
}

/// The server has ended, or its address has no port.
private struct NoPort: Error {}
