import CoreData
import Seeding

/// The notes in a folder.
@MainActor
struct Notebook {
  /// The notes of one category, the oldest first.
  typealias Section = (category: String, notes: [Note])

  private let container = NSPersistentContainer(name: "Notes")

  /// Opens the store in a folder, and creates both if they do not exist.
  init(in folder: URL) throws {
    let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  /// Loads the notes of the program's seed, unless the store has ever loaded them.
  ///
  /// - Parameter languages: The reader's languages, in the order of preference. If the seed has none of them,
  ///   the notes are in English.
  func seed(for languages: [String]) async throws -> SeedReport {
    let variant = SeedVariant(languages: languages)
    let notes = SeedSource.bundle(.module, "seed.json", variant: variant)
    // The policy remembers the seed by name, so that another language does not load all notes a second time.
    return try await Seeder(notes, policy: .oncePerName).run(in: container)
  }

  /// The notes that contain each of the words in their text or as a tag, by category.
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
