import CoreData

/// Saves what a writer made, with the ledger in the same save that reaches the store.
struct SeedSaving {
  private let coordinator: NSPersistentStoreCoordinator
  private let store: NSPersistentStore
  private let ledger: SeedLedger
  private let author: SeedAuthor

  /// - Parameter ledger: the account with the seeds.
  init(_ run: SeedRun, _ seeds: [LoadedSeed], ledger: SeedLedger) {
    coordinator = run.coordinator
    store = run.store
    self.ledger = ledger
    author = SeedAuthor(seeds)
  }

  /// Saves a context without a parent, which has the run's changes and no others. Called on its queue.
  func saveToStore(_ context: NSManagedObjectContext) throws {
    try author.signing(context) { try write { try context.save() } }
  }

  /// Saves a context and its parents up to the store. Called on no context's queue.
  /// - Parameter isAlone: Whether the context has the run's changes and no others.
  func saveChain(_ context: NSManagedObjectContext, isAlone: Bool) throws {
    guard let parent = context.performAndWait({ context.parent }) else {
      return try context.performUncheckedAndWait {
        if isAlone { try saveToStore(context) } else { try write { try context.save() } }
      }
    }
    let parentIsClean = parent.performAndWait { !parent.hasChanges }
    try context.performUncheckedAndWait { try context.save() }
    try saveChain(parent, isAlone: isAlone && parentIsClean)
  }

  private func write(_ save: () throws -> Void) throws {
    let before = coordinator.metadata(for: store)
    var metadata = before
    ledger.write(to: &metadata)
    // Apple's documentation of `setMetadata(_:for:)`: metadata reach the file with the next save.
    coordinator.setMetadata(metadata, for: store)
    do {
      try save()
    } catch {
      coordinator.setMetadata(before, for: store)
      throw error
    }
  }
}
