import Foundation

/// Saves that hold the write locks of stores, because another writer has changed the same objects.
extension NSPersistentStoreCoordinator {
  package final func whileLocked(
    _ stores: Set<Int32>,
    _ work: (any ObjectChannel) throws -> CommitOutcome
  ) throws -> CommitOutcome {
    let open = openStores
    let concerned = open.count == 1 ? open : open.filter { stores.contains($0.index) }
    return try whileLocked(concerned[...], locked: [:], work)
  }

  /// One store after the other, in the order in which every save writes them.
  private func whileLocked(
    _ stores: ArraySlice<any ObjectStore>,
    locked: [Int32: any LockedStore],
    _ work: (any ObjectChannel) throws -> CommitOutcome
  ) throws -> CommitOutcome {
    guard let first = stores.first else { return try work(LockedChannel(coordinator: self, locked: locked)) }
    return try first.whileLocked { store in
      var locked = locked
      locked[first.index] = store
      return try whileLocked(stores.dropFirst(), locked: locked, work)
    }
  }
}

/// The channel of a save that holds the write locks of stores: it reads and commits through these.
private final class LockedChannel: ObjectChannel {
  private let coordinator: NSPersistentStoreCoordinator
  private let locked: [Int32: any LockedStore]
  /// The store, if the coordinator has exactly one; `nil` for several, of which the coordinator
  /// asks those that keep an entity.
  private let only: (any LockedStore)?

  init(coordinator: NSPersistentStoreCoordinator, locked: [Int32: any LockedStore]) {
    self.coordinator = coordinator
    self.locked = locked
    only = coordinator.openStores.count == 1 ? locked.values.first : nil
  }

  private var channel: any ObjectChannel { if let only { only } else { coordinator } }

  private func channel(of store: Int32) -> any ObjectChannel {
    if let store = locked[store] { store } else { coordinator }
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try channel.fetch(query) }

  func count(_ query: FetchQuery) throws -> Int { try channel.count(query) }

  func aggregate(_ query: AggregateQuery) throws -> AggregateRows? { try channel.aggregate(query) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try channel(of: reference.store).row(of: reference, layout: layout)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try channel(of: reference.store).destinations(of: relationship, from: reference, layout: layout)
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    guard let store = references.first?.store else { return [] }
    return try channel(of: store).destinations(of: relationship, fromEach: references, layout: layout)
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try channel.permanentReferences(for: objects)
  }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try coordinator.commit(changes, through: locked) }

  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try channel.deleteAll(deletion) }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try channel.insertAll(insertion) }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try channel.updateAll(update) }
}
