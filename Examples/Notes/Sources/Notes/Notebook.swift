import CoreData
import Seeding

/// The notes that are kept in a folder.
@MainActor
struct Notebook {
  /// The notes of one category, the oldest first.
  typealias Section = (category: String, notes: [Note])

  private let container = NSPersistentContainer(name: "Notes")

  /// Opens the store of a folder, and makes both where they are missing.
  init(in folder: URL) throws {
    let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Takes in the notes that come with the program, unless the store ever took them in.
  ///
  /// - Parameter languages: Those that the reader understands, the preferred first. The notes are in
  ///   English where there are none in any of them.
  func seed(for languages: [String]) async throws -> SeedReport {
    let variant = SeedVariant(languages: languages)
    let notes = SeedSource.bundle(.module, "seed.json", variant: variant)
    // By its name, so that a reader who changes the language does not get everything a second time.
    return try await Seeder(notes, policy: .oncePerName).run(in: container)
  }

  /// The notes that have each of the words in their text or as a tag, by category.
  func sections(about words: [String] = []) throws -> [Section] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: words.map { word in
        NSPredicate(
          format: "title CONTAINS[cd] %@ OR contents CONTAINS[cd] %@ OR ANY tags.name LIKE[cd] %@",
          argumentArray: [word, word, word]
        )
      }
    )
    request.sortDescriptors = ["category.name", "createdAt"].map { key in
      NSSortDescriptor(key: key, ascending: true)
    }
    let results = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: container.viewContext,
      sectionNameKeyPath: "category.name",
      cacheName: nil
    )
    try results.performFetch()
    return (results.sections ?? []).map { ($0.name, $0.objects as? [Note] ?? []) }
  }
}
