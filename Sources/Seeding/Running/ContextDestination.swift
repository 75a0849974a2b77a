import CoreData

/// Takes seeds in by one save of a context that is used for the run alone, and of those above it.
struct ContextDestination: SeedDestination {
  let run: SeedRun
  let context: NSManagedObjectContext

  var mostRecordsAtOnce: Int { .max }

  /// Called on no context's queue.
  func save(_ write: (NSManagedObjectContext, SeedLedger) throws -> WrittenSeeds) throws -> SeedReport {
    let ledger = run.currentLedger
    do {
      let written = try context.performUncheckedAndWait { try write(context, ledger) }
      guard let ledger = written.ledger else { return written.report }
      do {
        try ContextSaving(
          coordinator: run.coordinator,
          store: run.store,
          ledger: ledger,
          author: written.author
        ).save(context)
      } catch {
        throw context.performUncheckedAndWait { written.failure(error) }
      }
      return written.report
    } catch {
      // Another attempt at the run begins with an empty context.
      context.performUncheckedAndWait { context.reset() }
      throw error
    }
  }
}

/// Saves a context and its parents, with the ledger in the save that reaches the store.
private struct ContextSaving {
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let ledger: SeedLedger
  let author: SeedAuthor

  /// Called on no context's queue.
  func save(_ context: NSManagedObjectContext) throws {
    if let parent = context.parent {
      try push(context, to: parent)
    } else {
      try context.performUncheckedAndWait { try saveToStore(context) }
    }
  }

  /// Saves the child, which is validated before its changes leave it, and then the contexts above it.
  private func push(_ child: NSManagedObjectContext, to parent: NSManagedObjectContext) throws {
    let pushed = PushedChanges(from: child, by: parent)
    try child.performUncheckedAndWait { try child.save() }
    do {
      try saveChain(parent, isAlone: !pushed.parentHasChanges)
    } catch {
      parent.performUncheckedAndWait { pushed.revert(in: parent) }
      throw error
    }
  }

  /// Saves a context without a parent, whose only changes are the run's. Called on its queue.
  private func saveToStore(_ context: NSManagedObjectContext) throws {
    try author.signing(context) { try write(context) }
  }

  /// Saves a context and its parents up to the store. Called on no context's queue.
  /// - Parameter isAlone: True if the run's changes are the context's only ones.
  private func saveChain(_ context: NSManagedObjectContext, isAlone: Bool) throws {
    guard let parent = context.performAndWait({ context.parent }) else {
      return try context.performUncheckedAndWait {
        if isAlone { try saveToStore(context) } else { try write(context) }
      }
    }
    let parentIsClean = parent.performAndWait { !parent.hasChanges }
    try context.performUncheckedAndWait { try context.save() }
    try saveChain(parent, isAlone: isAlone && parentIsClean)
  }

  private func write(_ context: NSManagedObjectContext) throws {
    #if !canImport(Darwin)
      let exchanged = context.exchangesUniqueValues
      context.exchangesUniqueValues = true
      defer { context.exchangesUniqueValues = exchanged }
    #endif
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
}

/// The changes that a parent context gets from a seeding child, to be undone if they cannot be saved.
struct PushedChanges {
  /// True if the parent has changes of its own, which have to remain.
  let parentHasChanges: Bool
  private let inserted: [NSManagedObjectID]
  private let updated: [NSManagedObjectID]

  /// Called before the child saves, on no context's queue.
  init(from child: NSManagedObjectContext, by parent: NSManagedObjectContext) {
    let (inserted, updated) = child.performAndWait {
      (child.insertedObjects.map(\.objectID), child.updatedObjects.map(\.objectID))
    }
    (parentHasChanges, self.updated) = parent.performAndWait {
      (parent.hasChanges, updated.filter { parent.registeredObject(for: $0)?.hasChanges != true })
    }
    self.inserted = inserted
  }

  /// Called on the parent's queue. An object that both had changed keeps the seed's values.
  func revert(in parent: NSManagedObjectContext) {
    guard parentHasChanges else {
      parent.rollback()
      return
    }
    for id in inserted { parent.delete(parent.object(with: id)) }
    for id in updated { parent.refresh(parent.object(with: id), mergeChanges: false) }
  }
}
