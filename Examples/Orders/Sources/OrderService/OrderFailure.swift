import Hummingbird

/// Why a request is refused. The text is for whoever sent it.
package enum OrderFailure: Error, Equatable {
  /// The request itself is wrong.
  case invalid(String)
  /// There is nothing of that name.
  case notFound(String)
  /// What the store has does not allow it.
  case conflict(String)
  /// Others use the store; the same request may succeed later.
  case busy
  /// The store cannot do its work; the server's log has the reason.
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
