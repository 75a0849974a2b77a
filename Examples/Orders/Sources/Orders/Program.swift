import Foundation
import Hummingbird
import OrderService

@main
enum Program {
  /// `Orders [FOLDER [PORT]]` serves the orders in a folder until it is terminated. `Orders
  /// postgresql://HOST/DATABASE [PORT]` serves orders in PostgreSQL, which any number of servers can share.
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let place = place(arguments.first ?? "."), let port = UInt16(arguments.dropFirst().first ?? "8080")
    else {
      FileHandle.standardError.write(Data("usage: Orders [FOLDER | postgresql://… [PORT]]\n".utf8))
      exit(64)
    }

    let store = try await CoreDataOrderStore(at: place)
    let router = Router()
    OrderRoutes(store: store).add(to: router)
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: Int(port))),
      // The service ends after the server, and closes the stores.
      services: [store.service],
      onServerRunning: { channel in ListeningLine.write(port: channel.localAddress?.port) }
    )
    // This returns after SIGTERM or SIGINT, when all requests have been answered.
    try await application.runService()
  }

  /// The location of the store in an argument.
  private static func place(_ argument: String) -> URL? {
    if argument.contains("://") { return URL(string: argument) }
    return URL(fileURLWithPath: argument).appendingPathComponent("Orders.sqlite")
  }
}
