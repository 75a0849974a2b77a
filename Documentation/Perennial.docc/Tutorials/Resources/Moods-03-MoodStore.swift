import CoreData

/// A store of the application Moody, which is only read.
@MainActor
struct MoodStore {
  private let container = NSPersistentContainer(name: "Moods")

  init(_ file: URL) throws {
    let store = NSPersistentStoreDescription(url: file)
    store.isReadOnly = true
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// The countries with moods, by their numbers.
  func countries() throws -> [Country] {
    let request = NSFetchRequest<Country>(entityName: "Country")
    request.predicate = NSPredicate(format: "moods.@count > 0")
    request.sortDescriptors = [NSSortDescriptor(key: "numericISO3166Code", ascending: true)]
    request.relationshipKeyPathsForPrefetching = ["moods"]
    return try container.viewContext.fetch(request)
  }
}
