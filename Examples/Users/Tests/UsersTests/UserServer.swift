import FlyingFox
import Foundation

/// A web service on the loopback interface that has some users, a page at a time.
final class UserServer: Sendable {
  private let server: HTTPServer
  private let task: Task<Void, any Error>
  let url: URL

  /// - Parameter pages: What it answers for `/users/0`, `/users/1` and so on; an empty list after the last.
  init(pages: [String]) async throws {
    let server = HTTPServer(address: .loopback(port: 0))
    await server.appendRoute("GET /users/*") { request in
      let page = Int(request.path.split(separator: "/").last ?? "") ?? 0
      let body = pages.indices.contains(page) ? pages[page] : "[]"
      return HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "application/json"],
        body: Data(body.utf8)
      )
    }
    task = Task { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else {
      throw URLError(.cannotConnectToHost)
    }
    self.server = server
    url = URL(string: "http://127.0.0.1:\(port)")!
  }

  /// From here on nothing answers at the address.
  func stop() async {
    await server.stop()
    task.cancel()
    _ = try? await task.value
  }
}
