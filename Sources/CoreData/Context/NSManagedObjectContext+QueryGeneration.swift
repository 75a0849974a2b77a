import Foundation

extension NSManagedObjectContext {
  /// The state of the stores that the context is pinned to; `nil` when each fetch reads the newest.
  public final var queryGenerationToken: NSQueryGenerationToken? {
    (channel as? PinnedChannel).map { NSQueryGenerationToken(generation: $0.generation) }
  }

  /// Pins the context to a state of the stores, or unpins it.
  ///
  /// Fetches and faults then read that state, and do not see later saves of other contexts.
  /// Registered objects keep their values until they are refreshed. Saving, resetting and merging
  /// bring a pinned context to the newest state and pin it there. SQLite stores in WAL mode and
  /// stores in PostgreSQL keep states; other stores are read in their present state.
  ///
  /// A state is released when it keeps the log of a SQLite store from being shortened for too long
  /// (``QueryGenerationLogLimitOption``), when it is too old (``QueryGenerationAgeLimitOption``),
  /// or when there are too many states (``QueryGenerationCountLimitOption``). A read from a
  /// released state fails with an error that says so, until the context is pinned again.
  ///
  /// ```swift
  /// let report = container.newBackgroundContext()
  /// try report.setQueryGenerationFrom(.current)
  /// let before = try report.count(for: Note.fetchRequest())
  ///
  /// Note(context: context).title = "Mend the fence"
  /// try context.save()
  /// let after = try report.count(for: Note.fetchRequest())
  /// print(before == after)  // true
  /// ```
  ///
  /// - Parameter generation: ``NSQueryGenerationToken/current``, the token of another context of
  ///   the same coordinator, or `nil` to unpin the context.
  /// - Throws: an error in `NSCocoaErrorDomain` when the token belongs to another coordinator, when
  ///   its state was released, or when the context has a parent, whose state it reads.
  public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    checkConfinement()
    guard let coordinatorSet else {
      throw StoreFailure.operation(
        """
        the query generation of a context without a persistent store coordinator of its own cannot be set; set that of \
        the context at the top, which its children read too.
        """
      )
    }
    if channel is any StoreTransaction {
      throw StoreFailure.operation(
        "the query generation of a transaction's context cannot be set; it reads what it has written."
      )
    }
    guard let generation else {
      channel = coordinatorSet
      return
    }
    guard let pinned = generation.generation else { return try pinToCurrent(coordinatorSet) }
    if pinned.coordinator != coordinatorSet.number {
      throw StoreFailure.operation(
        "a query generation token belongs to another persistent store coordinator than the context's; take one of its own."
      )
    }
    try pinned.requireHeld()
    channel = PinnedChannel(coordinatorSet, generation: pinned)
  }

  /// Brings a pinned context to the newest state. If the store cannot provide that state, the
  /// reason is logged, and thrown by the next save; the context keeps its present state.
  final func advanceQueryGeneration() {
    guard channel is PinnedChannel, let coordinatorSet else { return }
    do {
      try pinToCurrent(coordinatorSet)
    } catch {
      recordReadFailure(error)
    }
  }

  private func pinToCurrent(_ coordinator: NSPersistentStoreCoordinator) throws {
    let generation = try coordinator.currentGeneration()
    channel = PinnedChannel(coordinator, generation: generation)
    generation.beginAnew()
  }
}

/// The channel of a context that is pinned to a state of the stores: it reads that state, and writes into the stores.
final class PinnedChannel: ObjectChannel {
  private let coordinator: NSPersistentStoreCoordinator
  let generation: QueryGeneration

  init(_ coordinator: NSPersistentStoreCoordinator, generation: QueryGeneration) {
    self.coordinator = coordinator
    self.generation = generation
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try coordinator.fetch(query, in: generation) }

  func count(_ query: FetchQuery) throws -> Int { try coordinator.count(query, in: generation) }

  func aggregate(_ query: AggregateQuery) throws -> AggregateRows? { try coordinator.aggregate(query, in: generation) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try coordinator.reader(reference.store, generation: generation)?.row(of: reference, layout: layout)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try coordinator.reader(reference.store, generation: generation)?
      .destinations(of: relationship, from: reference, layout: layout) ?? []
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    guard let store = references.first?.store else { return [] }
    return try coordinator.reader(store, generation: generation)?
      .destinations(of: relationship, fromEach: references, layout: layout) ?? references.map { _ in [] }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try coordinator.permanentReferences(for: objects)
  }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try coordinator.commit(changes) }

  func whileLocked(_ stores: Set<Int32>, _ work: (any ObjectChannel) throws -> CommitOutcome) throws -> CommitOutcome {
    try coordinator.whileLocked(stores, work)
  }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try coordinator.insertAll(insertion) }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try coordinator.updateAll(update) }

  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try coordinator.deleteAll(deletion) }
}
