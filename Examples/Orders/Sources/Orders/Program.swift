import Foundation
import Hummingbird
import OrderService

@main
enum Program {
  /// `Orders [FOLDER [PORT]]` serves the orders that are kept in a folder, until it is told to stop.
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    guard let port = UInt16(arguments.dropFirst().first ?? "8080") else {
      FileHandle.standardError.write(Data("usage: Orders [FOLDER [PORT]]\n".utf8))
      exit(64)
    }

    let store = try await CoreDataOrderStore(at: folder.appendingPathComponent("Orders.sqlite"))
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
}
