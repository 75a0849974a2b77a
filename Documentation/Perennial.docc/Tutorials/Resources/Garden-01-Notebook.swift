import CoreData
import Seeding

/// The notes of a store.
@MainActor
struct Notebook {
  private let container = NSPersistentContainer(name: "Garden")

  /// Opens a store, and makes it where it is missing.
  init(_ store: NSPersistentStoreDescription) throws {
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Takes in the notes of seed.json, unless the store has done so before.
  @discardableResult
  func seed() async throws -> SeedReport {
    try await Seeder(.bundle(.module, "seed.json")).run(in: container)
  }

  /// The notes of a topic, or all of them, by their titles.
  func notes(of topic: String? = nil) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    if let topic {
      request.predicate = NSPredicate(format: "ANY topics.name == %@", argumentArray: [topic])
    }
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try container.viewContext.fetch(request)
  }
}
