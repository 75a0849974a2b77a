import Hummingbird
import NIOEmbedded

/// Sends requests directly to the router of a server, without a port.
package struct RouterClient<Context: RequestContext>: Sendable
where Context.Source == ApplicationRequestContextSource {
  private let application: Application<RouterResponder<Context>>

  package init(_ router: Router<Context>) { application = Application(router: router) }

  /// The server's answer to a request.
  @discardableResult
  package func execute(
    uri: String,
    method: HTTPRequest.Method,
    headers: HTTPFields = [:],
    body: String? = nil
  ) async throws -> TestResponse {
    var headers = headers
    if let body { headers[.contentLength] = String(body.utf8.count) }
    let request = Request(
      head: .init(
        method: method,
        scheme: "http",
        authority: "localhost",
        path: uri,
        headerFields: headers
      ),
      body: RequestBody(buffer: ByteBuffer(string: body ?? ""))
    )
    // A context needs a channel, although nothing is sent through it.
    let source = ApplicationRequestContextSource(
      channel: NIOAsyncTestingChannel(),
      logger: application.logger
    )
    let response: Response
    do {
      response = try await application.responder.respond(to: request, context: Context(source: source))
    } catch {
      // The router converts errors that define a response. The server answers all other errors like this.
      response = Response(status: .internalServerError)
    }
    let text = TextWriter()
    try await response.body.write(text)
    return TestResponse(status: response.status, headers: response.headers, text: text.text)
  }
}

/// The server's answer.
package struct TestResponse: Sendable {
  package let status: HTTPResponse.Status
  package let headers: HTTPFields
  package let text: String
}

/// Collects the body of a response.
private final class TextWriter: ResponseBodyWriter {
  private var bytes = ByteBuffer()
  var text: String { String(buffer: bytes) }

  func write(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
