package import HTTPTypes
package import NIOCore

/// Sends requests to an application that is under test; see ``Hummingbird/ApplicationProtocol/test(_:_:)``.
package struct TestClient: Sendable {
  /// Sends one request and returns the whole response.
  typealias Exchange = @Sendable (HTTPRequest, ByteBuffer?) async throws -> TestResponse

  /// The port that the application listens on; `nil` if requests go straight to its responder.
  package let port: Int?
  private let exchange: Exchange

  init(port: Int?, exchange: @escaping Exchange) {
    self.port = port
    self.exchange = exchange
  }

  /// Sends a request to the host `localhost`.
  ///
  /// - Parameters:
  ///   - uri: the path of the request, with its query.
  ///   - method: the method of the request.
  ///   - headers: further header fields; `Content-Length` is set if there is a body.
  ///   - body: the body of the request, `nil` if it has none.
  @discardableResult
  package func execute(
    uri: String,
    method: HTTPRequest.Method,
    headers: HTTPFields = [:],
    body: ByteBuffer? = nil
  ) async throws -> TestResponse {
    var headers = headers
    if let body { headers[.contentLength] = String(body.readableBytes) }
    let request = HTTPRequest(
      method: method,
      scheme: "http",
      authority: "localhost",
      path: uri,
      headerFields: headers
    )
    return try await exchange(request, body)
  }
}
