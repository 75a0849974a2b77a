import CoreData

/// Saves what a writer made, with the ledger in the same save that reaches the store.
struct SeedSaving {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let ledger: SeedLedger

  /// Saves a context that has no parent. Called on its queue.
  func saveToStore(_ context: NSManagedObjectContext) throws {
    let before = coordinator.metadata(for: store)
    var metadata = before
    ledger.write(to: &metadata)
    // Apple's documentation of `setMetadata(_:for:)`: metadata reach the file with the next save.
    coordinator.setMetadata(metadata, for: store)
    do {
      try context.save()
    } catch {
      coordinator.setMetadata(before, for: store)
      throw error
    }
  }

  /// Saves a context and its parents up to the store. Called on no context's queue.
  func saveChain(_ context: NSManagedObjectContext) throws {
    let parent: NSManagedObjectContext? = try context.performUncheckedAndWait {
      guard let parent = context.parent else {
        try saveToStore(context)
        return nil
      }
      try context.save()
      return parent
    }
    if let parent { try saveChain(parent) }
  }
}
