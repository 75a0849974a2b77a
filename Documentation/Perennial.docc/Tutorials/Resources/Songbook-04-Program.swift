import CoreData

/// Prints the songs of the store in the working folder.
@main
@MainActor
struct Program {
  static func main() async throws {
    let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Songbook.sqlite"))
    let songbook = try Songbook(store)
    let report = try await songbook.seed()
    print("New songs: \(report.entities["Song"]?.created ?? 0)")
    for song in try songbook.songs() {
      print("\(song.title), in \(song.key ?? "any key"), by \(song.composer?.name ?? "nobody")")
    }
  }
}
