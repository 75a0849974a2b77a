import FlyingFox
import Foundation

/// A web service on this machine that gives the same answer to every request for its users.
struct LocalServer {
  let address: URL
  private let server: HTTPServer
  private let running: Task<Void, any Error>

  init(answering body: String, status: HTTPStatusCode = .ok) async throws {
    // With port 0 the system chooses a free port.
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("GET /users") { _ in HTTPResponse(statusCode: status, body: Data(body.utf8)) }
    self.server = server
    running = Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, port: let port)? = await server.listeningAddress,
      let address = URL(string: "http://127.0.0.1:\(port)")
    else { throw URLError(.cannotConnectToHost) }
    self.address = address
  }

  /// Closes the port, so that later requests get no answer.
  func stop() async {
    await server.stop()
    running.cancel()
    _ = await running.result
  }
}
