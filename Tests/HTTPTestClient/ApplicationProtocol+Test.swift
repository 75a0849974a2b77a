import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded

/// How the requests of a test reach the application.
package enum TestSetup: Sendable {
  /// Directly to the responder in this process. The application's services do not run.
  case router
  /// Over HTTP/1.1, through a free port of 127.0.0.1.
  case live
}

extension ApplicationProtocol {
  /// Sends requests to the application while a closure runs.
  ///
  /// - Parameters:
  ///   - setup: how the requests reach the application.
  ///   - body: sends requests by the client that it is given.
  /// - Returns: what the closure returns, after the server, if there is one, has ended.
  /// - Throws: the closure's errors, and those of a server that cannot start.
  package func test<Value: Sendable>(
    _ setup: TestSetup,
    _ body: (TestClient) async throws -> Value
  ) async throws -> Value {
    switch setup {
    case .router: try await body(routerClient())
    case .live: try await serve(body)
    }
  }

  private func routerClient() async throws -> TestClient {
    let responder = try await responder
    let logger = logger
    return TestClient(port: nil) { request, body in
      var logger = logger
      logger[metadataKey: "hb.request.id"] = "\(RequestID())"
      let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
      let request = Request(head: request, body: RequestBody(buffer: body ?? ByteBuffer()))
      let response: Response
      do {
        response = try await responder.respond(to: request, context: Context(source: source))
      } catch {
        // The router turns errors that describe a response into that response. The server answers all other errors like this.
        response = Response(status: .internalServerError)
      }
      let collector = ResponseCollector()
      try await response.body.write(collector)
      return TestResponse(head: response.head, body: collector.body)
    }
  }

  /// Runs the application on a free port while a closure runs, and then has it end gracefully.
  private func serve<Value: Sendable>(_ body: (TestClient) async throws -> Value) async throws -> Value {
    let running = try await RunningApplication(self)
    let result: Result<Value, any Error>
    do { result = .success(try await body(running.client)) } catch { result = .failure(error) }
    try await running.end()
    return try result.get()
  }
}

/// Collects the body of a response.
private final class ResponseCollector: ResponseBodyWriter {
  private(set) var body = ByteBuffer()

  func write(_ buffer: ByteBuffer) { body.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
