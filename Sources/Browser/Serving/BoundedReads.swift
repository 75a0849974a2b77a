import Hummingbird
import StoreExploration

/// Bounds the reads of each request, and interrupts long ones when the client closes the connection.
struct BoundedReads<Context: RequestContext>: RouterMiddleware {
  let bounds: ReadBounds
  /// The path at which the browser is mounted, without a slash at its end.
  let base: String

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    let below = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
    guard [.get, .head].contains(request.method), !Self.outlivesRequest(below) else {
      return try await next(request, context)
    }
    let limit = bounds.limit(path: below, items: request.queryItems)
    return try await ReadLimit.$current.withValue(limit) {
      // The server closes a connection after a request that it watches: short pages keep theirs. An export
      // is written after this scope, and ends when it cannot be written.
      let isWatched = request.method == .get && limit.pool != nil && !Self.isWrittenInParts(below)
      guard isWatched else { return try await next(request, context) }
      return try await request.body.consumeWithCancellationOnInboundClose { _ in
        try await next(request, context)
      }
    }
  }

  private static func isWrittenInParts(_ path: String) -> Bool {
    path.hasSuffix("/export.csv") || path.hasSuffix("/export.json")
  }

  /// True for pages whose work goes on after the response, or for as long as the client listens.
  private static func outlivesRequest(_ path: String) -> Bool {
    path == "/changes" || path == "/comparison/start" || path == "/comparison/stop"
      || path.hasPrefix("/assets/")
  }
}
