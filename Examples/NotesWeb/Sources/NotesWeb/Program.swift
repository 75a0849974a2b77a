import Foundation
import Hummingbird
import HummingbirdCore
import NotesSite
import Seeding

@main
enum Program {
  /// `NotesWeb [FOLDER [PORT [SEED…]]]` serves the notes in a folder until it is terminated. Seeds replace
  /// the program's own seed; `-` reads a seed in JSON from standard input.
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let folder = URL(fileURLWithPath: arguments.first ?? ".")
    guard let port = UInt16(arguments.dropFirst().first ?? "8080") else {
      FileHandle.standardError.write(Data("usage: NotesWeb [FOLDER [PORT [SEED…]]]\n".utf8))
      exit(64)
    }
    let seeds = arguments.dropFirst(2).map { name in
      name == "-"
        ? SeedSource.stream(.standardInput, name: "standard input.json")
        : SeedSource.file(URL(fileURLWithPath: name))
    }

    let store = try await NoteStore(at: folder.appendingPathComponent("NotesWeb.sqlite"))
    let seeding = FirstSeeding(store, seeds: seeds.isEmpty ? nil : seeds)
    let site = try NotesSite(store: store, seeding: seeding)
    let application = Application(
      router: site.router,
      // A client that is slow to send its request loses its connection. A page that listens to events keeps it.
      server: .http1(configuration: .init(idleTimeout: .seconds(30))),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: Int(port)),
        availableConnectionsDelegate: MaximumAvailableConnections(256)
      ),
      // Services end after the server, the last one first. The seeding ends before its store is closed.
      services: [store.service, seeding],
      onServerRunning: { channel in ListeningLine.write(port: channel.localAddress?.port) }
    )
    // This returns after SIGTERM or SIGINT, when all requests have been answered.
    try await application.runService()
  }
}
