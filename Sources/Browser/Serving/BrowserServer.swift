public import CoreData
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// A server of a store's pages for the person at this machine.
///
/// It listens on the loopback address alone, and lets in who brings the token that it was started with;
/// see ``StoreBrowser`` for a server of one's own.
///
/// ```swift
/// let server = try BrowserServer(coordinator, name: "Notes", port: 8080)
/// try await server.run { address in
///   print("the notes are at \(address)")
/// }
/// ```
public struct BrowserServer: Sendable {
  private let browser: StoreBrowser
  private let port: Int
  private let token: SessionToken
  private let limits: ConnectionLimits
  private let allowsWriting: Bool

  /// The most that one connection may have, and how many there may be.
  struct ConnectionLimits: Sendable {
    /// The time in which a request has to be read, and after which a connection without one is closed.
    var idle = Duration.seconds(5)
    var connections = 400
    /// The bytes of a request's head.
    var head = 32 * 1_024
  }

  /// Makes the server of a coordinator's store.
  ///
  /// - Parameters:
  ///   - coordinator: a coordinator that has its store already.
  ///   - name: the name of the store that pages have in their heads.
  ///   - port: the port to listen on; 0 for one that is free.
  ///   - counterparts: another store and another model that pages compare the store with.
  ///   - allowsWriting: true where the person may edit the objects of the store.
  ///   - tokenFile: a file with a secret, which is made where there is none: with it the address of a store is the
  ///     same whenever it is served. `nil` for another address each time.
  /// - Throws: the errors of `StoreBrowser.init(_:name:counterparts:allowsWriting:)`; a ``TokenFileError`` for a token
  ///   file that others can read, or that is none.
  public init(
    _ coordinator: NSPersistentStoreCoordinator,
    name: String,
    port: Int,
    counterparts: StoreBrowser.Counterparts = StoreBrowser.Counterparts(),
    allowsWriting: Bool = false,
    tokenFile: URL? = nil
  ) throws {
    let identifier = coordinator.persistentStores.first?.identifier ?? ""
    try self.init(
      coordinator,
      name: name,
      port: port,
      token: try tokenFile.map { try TokenFile($0).token(ofStore: identifier) } ?? SessionToken(),
      counterparts: counterparts,
      allowsWriting: allowsWriting,
      hasLastingToken: tokenFile != nil
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
    hasLastingToken: Bool = false
  ) throws {
    var browser = try StoreBrowser(
      coordinator,
      name: name,
      counterparts: counterparts,
      allowsWriting: allowsWriting
    )
    browser.links = PageLinks(opening: token.path, isLasting: hasLastingToken)
    self.browser = browser
    self.allowsWriting = allowsWriting
    self.port = port
    self.token = token
    self.limits = limits
  }

  /// Serves until the task is cancelled, or the process is asked to end by SIGINT or SIGTERM.
  ///
  /// - Parameter isReady: called with the address of the first page, which lets in whoever has it.
  /// - Throws: an error when nobody may listen on the port.
  public func run(isReady: @escaping @Sendable (URL) -> Void) async throws {
    try await application(isReady: isReady).runService()
  }

  /// The application that answers requests.
  func application(isReady: @escaping @Sendable (URL) -> Void = { _ in }) -> some ApplicationProtocol {
    let router = Router(options: .autoGenerateHeadEndpoints)
    router.add(middleware: SafetyHeaders(tellsOrigin: allowsWriting))
    router.add(middleware: SafeRequests(token: token, takesForms: allowsWriting))
    browser.addRoutes(to: router.group())
    let token = token
    var logger = Logger(label: "Browser")
    logger.logLevel = .error
    return Application(
      router: router,
      server: .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ClosingHandler()],
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
