import Foundation
import Hummingbird
import OrderService

@main
enum Program {
  /// `Orders [FOLDER [PORT]]` serves the orders that are kept in a folder, until it is told to stop;
  /// `Orders postgresql://HOST/DATABASE [PORT]` those in PostgreSQL, with any number of such servers.
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
      // Ends after the server, with the stores closed.
      services: [store.service],
      onServerRunning: { channel in ListeningLine.write(port: channel.localAddress?.port) }
    )
    // Returns after SIGTERM or SIGINT, when all requests have been answered.
    try await application.runService()
  }

  /// The place of the store that an argument names.
  private static func place(_ argument: String) -> URL? {
    if argument.contains("://") { return URL(string: argument) }
    return URL(fileURLWithPath: argument).appendingPathComponent("Orders.sqlite")
  }
}
