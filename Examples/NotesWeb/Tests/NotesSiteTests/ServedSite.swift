import Hummingbird
import NIOCore
import NotesSite
import ServiceLifecycle

/// A site that is served at a port of this machine.
struct ServedSite: Sendable {
  let port: Int
  private let services: ServiceGroup

  /// Serves a site while a closure runs, and then shuts the server down, as SIGTERM does.
  ///
  /// - Parameter services: Services that run next to the server and end after it.
  static func serve(
    _ server: SiteServer,
    with services: [any Service] = [],
    while body: (ServedSite) async throws -> Void
  ) async throws {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: server.site.router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      services: services,
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { listening.yield(port) }
      }
    )
    let group = ServiceGroup(services: [application], logger: application.logger)
    async let running: Void = {
      defer { listening.finish() }
      try await group.run()
    }()
    if let port = await ports.first(where: { _ in true }) {
      do {
        try await body(ServedSite(port: port, services: group))
      } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      await group.triggerGracefulShutdown()
    }
    try await running
  }

  /// Shuts the server down, as SIGTERM does.
  func end() async { await services.triggerGracefulShutdown() }
}
