import CoreData
import Seeding

/// The stars that an application shows.
@MainActor
struct Sky {
  let container = NSPersistentContainer(name: "Sky")
  /// True when there was no store, and the one that the application brings along was copied.
  let isNew: Bool

  /// Opens the user's store, which is a copy of the application's at first.
  init(_ file: URL) throws {
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    isNew = try ShippedStore.bundle(.module, "Sky.sqlite").copyIfAbsent(for: container)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Seeds the data that a later version of the application adds.
  func update() async throws -> SeedReport {
    try await Seeder(.bundle(.module, "Seeds")).run(in: container)
  }

  /// All stars, the brightest first.
  func stars() throws -> [Star] {
    let request = NSFetchRequest<Star>(entityName: "Star")
    request.sortDescriptors = [NSSortDescriptor(key: "magnitude", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["constellation"]
    return try container.viewContext.fetch(request)
  }

  /// Makes a star one of the user's favourites.
  func favour(_ name: String) throws {
    for star in try stars() where star.name == name { star.isFavourite = true }
    try container.viewContext.save()
  }
}
