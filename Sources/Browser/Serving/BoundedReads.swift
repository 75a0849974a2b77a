import Hummingbird
import StoreExploration

/// Bounds the reads of each request, and interrupts them when its client closes the connection.
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
    return try await ReadLimit.$current.withValue(bounds.limit(path: below, items: request.queryItems)) {
      try await request.body.consumeWithCancellationOnInboundClose { _ in try await next(request, context) }
    }
  }

  /// True for pages whose work goes on after the response, or for as long as the client listens.
  private static func outlivesRequest(_ path: String) -> Bool {
    path == "/changes" || path == "/comparison/start" || path == "/comparison/stop"
      || path.hasPrefix("/assets/")
  }
}
