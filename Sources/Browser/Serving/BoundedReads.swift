import Hummingbird
import StoreExploration

/// Limits the reads of each request. If the connection is watched, long reads end when the client closes it.
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
    let limit = bounds.limit(path: below, items: request.queryItems, client: ReadClient.current)
    return try await ReadLimit.$current.withValue(limit) { try await next(request, context) }
  }

  /// Returns true for pages whose work continues after the response, or as long as the client listens.
  private static func outlivesRequest(_ path: String) -> Bool {
    path == "/changes" || path == "/comparison/start" || path == "/comparison/stop"
      || path.hasPrefix("/assets/")
  }
}
