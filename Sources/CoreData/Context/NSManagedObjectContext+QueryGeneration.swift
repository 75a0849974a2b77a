import Foundation

extension NSManagedObjectContext {
  /// The state of the stores that the context is pinned to; `nil` when each fetch reads the newest.
  public final var queryGenerationToken: NSQueryGenerationToken? {
    (channel as? PinnedChannel).map { NSQueryGenerationToken(generation: $0.generation) }
  }

  /// Pins the context to a state of the stores, or unpins it.
  ///
  /// Fetches and faults then read that state, whatever others save. Objects that the context has
  /// already stay as they are until they are refreshed. Saving, resetting and merging bring a
  /// pinned context to the newest state and pin it there. SQLite stores in WAL mode keep states;
  /// other stores are read as they are.
  ///
  /// - Parameter generation: ``NSQueryGenerationToken/current``, the token of another context of
  ///   the same coordinator, or `nil` to unpin the context.
  /// - Throws: an error in `NSCocoaErrorDomain` when the token is one of another coordinator, or
  ///   the context has a parent, whose state it reads.
  public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    guard let coordinatorSet else {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        """
        the query generation of a context without a persistent store coordinator of its own cannot be set; set that of \
        the context at the top, which its children read too.
        """
      )
    }
    if channel is any StoreTransaction {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        "the query generation of a transaction's context cannot be set; it reads what it has written."
      )
    }
    guard let generation else {
      channel = coordinatorSet
      return
    }
    guard let pinned = generation.generation else { return try pinToCurrent(coordinatorSet) }
    if pinned.coordinator != coordinatorSet.number {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        "a query generation token belongs to another persistent store coordinator than the context's; take one of its own."
      )
    }
    channel = PinnedChannel(coordinatorSet, generation: pinned)
  }

  /// Brings a pinned context to the newest state. Where that cannot be had, the reason is told of,
  /// and thrown by the next save; the context stays at the state that it has.
  final func advanceQueryGeneration() {
    guard channel is PinnedChannel, let coordinatorSet else { return }
    do {
      try pinToCurrent(coordinatorSet)
    } catch {
      recordReadFailure(error)
    }
  }

  private func pinToCurrent(_ coordinator: NSPersistentStoreCoordinator) throws {
    channel = PinnedChannel(coordinator, generation: try coordinator.currentGeneration())
  }
}
