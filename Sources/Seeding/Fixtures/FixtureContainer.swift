import CoreData

/// The container of a fixture, whose store is open from the beginning.
// As its superclass, to which it adds nothing that changes.
final class FixtureContainer: NSPersistentContainer, @unchecked Sendable {
  /// Says that the store is open, to stacks that load whatever container they are given.
  override func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions { block(description, nil) }
  }
}
