import CoreData
import Seeding

/// The songs of a store.
@MainActor
struct Songbook {
  let container = NSPersistentContainer(name: "Songbook")

  /// Opens a store, and makes it where it is missing.
  init(_ store: NSPersistentStoreDescription) throws {
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Takes in the songs that come with the application, and leaves alone what the user has changed.
  func seed(from source: SeedSource = .bundle(.module, "seed.json")) async throws -> SeedReport {
    try await Seeder(source, profile: .sync).run(in: container)
  }

  /// All songs, by their titles.
  func songs() throws -> [Song] {
    let request = NSFetchRequest<Song>(entityName: "Song")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try container.viewContext.fetch(request)
  }

  /// Has a song be sung in another key.
  func transpose(_ title: String, to key: String) throws {
    for song in try songs() where song.title == title { song.key = key }
    try container.viewContext.save()
  }
}
