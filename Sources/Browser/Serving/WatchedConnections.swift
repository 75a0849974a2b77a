import Hummingbird
import NIOCore
import StoreExploration

/// Makes the client of each request's connection the current one, so that its reads end when the client leaves.
struct WatchedConnections: RouterMiddleware {
  typealias Context = BrowserRequestContext

  func handle(
    _ request: Request,
    context: BrowserRequestContext,
    next: (Request, BrowserRequestContext) async throws -> Response
  ) async throws -> Response {
    let client = await client(of: context.channel)
    return try await ReadClient.$current.withValue(client) { try await next(request, context) }
  }

  /// Returns the client of a connection.
  ///
  /// - Returns: `nil` for a connection that has no ``DepartureHandler`` or is already closed.
  private func client(of channel: any Channel) async -> ReadClient? {
    let client = channel.eventLoop.submit {
      try channel.pipeline.syncOperations.handler(type: DepartureHandler.self).client
    }
    return try? await client.get()
  }
}
