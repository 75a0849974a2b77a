import Hummingbird

/// Why a request is refused. The text is for the client.
package enum OrderFailure: Error, Equatable {
  /// The request is invalid.
  case invalid(String)
  /// The order, customer or product does not exist.
  case notFound(String)
  /// The present state of the store does not allow the request.
  case conflict(String)
  /// Other writers keep the store busy. The same request may succeed later.
  case busy
  /// The store does not work. The server's log has the reason.
  case unhealthy
}

extension OrderFailure: HTTPResponseError {
  package var status: HTTPResponse.Status { answer.status }

  package func response(from request: Request, context: some RequestContext) throws -> Response {
    try answer.response(from: request, context: context)
  }

  private var answer: HTTPError {
    switch self {
    case .invalid(let message): HTTPError(.badRequest, message: message)
    case .notFound(let message): HTTPError(.notFound, message: message)
    case .conflict(let message): HTTPError(.conflict, message: message)
    case .busy:
      HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "the store is busy; try again")
    case .unhealthy: HTTPError(.serviceUnavailable, message: "the store cannot be used")
    }
  }
}
