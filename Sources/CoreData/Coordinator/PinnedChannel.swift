/// The channel of a context that is pinned to a state of the stores: it reads that state, and
/// writes into the stores.
final class PinnedChannel: ObjectChannel {
  private let coordinator: NSPersistentStoreCoordinator
  let generation: QueryGeneration

  init(_ coordinator: NSPersistentStoreCoordinator, generation: QueryGeneration) {
    self.coordinator = coordinator
    self.generation = generation
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try coordinator.fetch(query, in: generation) }

  func count(_ query: FetchQuery) throws -> Int { try coordinator.count(query, in: generation) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try coordinator.reader(reference.store, generation)?.row(of: reference, layout: layout)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try coordinator.reader(reference.store, generation)?
      .destinations(of: relationship, from: reference, layout: layout) ?? []
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    guard let store = references.first?.store else { return [] }
    return try coordinator.reader(store, generation)?
      .destinations(of: relationship, fromEach: references, layout: layout) ?? references.map { _ in [] }
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try coordinator.permanentReferences(for: objects)
  }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try coordinator.commit(changes) }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try coordinator.insertAll(insertion) }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try coordinator.updateAll(update) }

  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try coordinator.deleteAll(deletion) }
}
