public import CoreData
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// A server that shows a store's pages to the user of this machine.
///
/// It listens only on the loopback address, and accepts only requests with the token of its address. To mount the
/// pages in a server of your own, use ``StoreBrowser``.
///
/// ```swift
/// let server = try BrowserServer(coordinator, name: "Notes", port: 8080)
/// try await server.run { address in
///   print("the notes are at \(address)")
/// }
/// ```
public struct BrowserServer: Sendable {
  let browser: StoreBrowser
  private let port: Int
  private let token: SessionToken
  private let limits: ConnectionLimits
  private let allowsWriting: Bool

  /// The limits of a connection, and of the number of connections.
  struct ConnectionLimits: Sendable {
    /// The time limit for reading a request. A connection that is idle for longer is closed.
    var idle = Duration.seconds(5)
    var connections = 400
    /// The greatest size of a request's head in bytes.
    var head = 32 * 1_024
  }

  /// Makes the server of a coordinator's store.
  ///
  /// - Parameters:
  ///   - coordinator: a coordinator that already has its store.
  ///   - name: the store's name in the heads of pages.
  ///   - port: the port to listen on; 0 for any free port.
  ///   - counterparts: another store and another model that pages compare the store with.
  ///   - allowsWriting: true if the user may edit the store's objects.
  ///   - timeLimit: the greatest time of each read of the store.
  ///   - tokenFile: a file with a secret, which is created if it does not exist. The address of a store is then the same
  ///     at each start of the server. With `nil`, each start has another address.
  /// - Throws: the errors of `StoreBrowser.init(_:name:counterparts:allowsWriting:timeLimit:)`; a ``TokenFileError`` for
  ///   a file that other users can read or write, or that is not a token file.
  public init(
    _ coordinator: NSPersistentStoreCoordinator,
    name: String,
    port: Int,
    counterparts: StoreBrowser.Counterparts = StoreBrowser.Counterparts(),
    allowsWriting: Bool = false,
    tokenFile: URL? = nil,
    timeLimit: Duration = .seconds(10)
  ) throws {
    let identifier = coordinator.persistentStores.first?.identifier ?? ""
    try self.init(
      coordinator,
      name: name,
      port: port,
      token: try tokenFile.map { try TokenFile($0).token(ofStore: identifier) } ?? SessionToken(),
      counterparts: counterparts,
      allowsWriting: allowsWriting,
      hasLastingToken: tokenFile != nil,
      timeLimit: timeLimit
    )
  }

  init(
    _ coordinator: NSPersistentStoreCoordinator,
    name: String,
    port: Int,
    token: SessionToken,
    limits: ConnectionLimits = ConnectionLimits(),
    counterparts: StoreBrowser.Counterparts = StoreBrowser.Counterparts(),
    allowsWriting: Bool = false,
    hasLastingToken: Bool = false,
    timeLimit: Duration = .seconds(10),
    countLimit: Duration = BrowserPages.usualCountLimit
  ) throws {
    var browser = try StoreBrowser(
      coordinator,
      name: name,
      counterparts: counterparts,
      allowsWriting: allowsWriting,
      timeLimit: timeLimit
    )
    browser.links = PageLinks(opening: token.path, isLasting: hasLastingToken)
    browser.countLimit = countLimit
    self.browser = browser
    self.allowsWriting = allowsWriting
    self.port = port
    self.token = token
    self.limits = limits
  }

  /// Serves until the task is cancelled, or the process receives SIGINT or SIGTERM.
  ///
  /// - Parameter isReady: called with the address of the first page. Anyone who has the address can open the pages.
  /// - Throws: an error when the server cannot listen on the port.
  public func run(isReady: @escaping @Sendable (URL) -> Void) async throws {
    try await application(isReady: isReady).runService()
  }

  /// Returns the application that answers requests.
  func application(isReady: @escaping @Sendable (URL) -> Void = { _ in }) -> some ApplicationProtocol {
    let router = Router(context: BrowserRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: SafetyHeaders(tellsOrigin: allowsWriting))
    router.add(middleware: SafeRequests(token: token, takesForms: allowsWriting))
    router.add(middleware: WatchedConnections())
    browser.addRoutes(to: router.group(RouterPath(token.base)), at: token.base)
    let token = token
    var logger = Logger(label: "Browser")
    logger.logLevel = .error
    return Application(
      router: router,
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ClosingHandler(), DepartureHandler()],
          idleTimeout: TimeAmount(limits.idle),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: limits.head,
            maxHeaderListSize: limits.head,
            maxHeaderFieldCount: 100
          )
        )
      ),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port),
        availableConnectionsDelegate: .maximum(limits.connections, logger: logger)
      ),
      onServerRunning: { channel in
        guard let port = channel.localAddress?.port,
          let url = URL(string: "http://127.0.0.1:\(port)\(token.path)")
        else { return }
        isReady(url)
      },
      logger: logger
    )
  }
}
