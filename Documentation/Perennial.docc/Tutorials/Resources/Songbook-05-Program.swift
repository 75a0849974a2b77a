import CoreData

/// Prints the songs of the store in the working folder: `Songbook [TITLE KEY]`, after one of them was
/// transposed.
@main
@MainActor
struct Program {
  static func main() async throws {
    let store = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Songbook.sqlite"))
    let songbook = try Songbook(store)
    let report = try await songbook.seed()
    print("New songs: \(report.entities["Song"]?.created ?? 0)")
    let words = CommandLine.arguments.dropFirst()
    if words.count == 2, let title = words.first, let key = words.last {
      try songbook.transpose(title, to: key)
    }
    for song in try songbook.songs() {
      print("\(song.title), in \(song.key ?? "any key"), by \(song.composer?.name ?? "nobody")")
    }
  }
}
