import Foundation
import Predicates

/// The coordinator answers for all its stores.
extension NSPersistentStoreCoordinator: ObjectChannel {
  package final func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try fetch(query, in: nil) }

  package final func count(_ query: FetchQuery) throws -> Int { try count(query, in: nil) }

  package final func aggregate(_ query: AggregateQuery) throws -> AggregateRows? { try aggregate(query, in: nil) }

  /// Groups may have objects in several stores, none of which can answer for all of them then.
  final func aggregate(_ query: AggregateQuery, in generation: QueryGeneration?) throws -> AggregateRows? {
    let stores = try readers(for: query.objects, generation: generation)
    return stores.count == 1 ? try stores[0].aggregate(query) : nil
  }

  final func fetch(_ query: FetchQuery, in generation: QueryGeneration?) throws -> [FetchedRow] {
    let stores = try readers(for: query, generation: generation)
    if stores.count == 1 { return try stores[0].fetch(query) }
    return try fetch(query, fromEach: stores)
  }

  final func count(_ query: FetchQuery, in generation: QueryGeneration?) throws -> Int {
    let stores = try readers(for: query, generation: generation)
    if stores.count == 1 || query.limit == 0 && query.offset == 0 {
      return try stores.reduce(0) { try $0 + $1.count(query) }
    }
    return try fetch(query, fromEach: stores).count
  }

  package final func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try openStore(reference.store)?.row(of: reference, layout: layout)
  }

  package final func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try openStore(reference.store)?.destinations(of: relationship, from: reference, layout: layout) ?? []
  }

  package final func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    guard let store = references.first.flatMap({ openStore($0.store) }) else {
      return references.map { _ in [] }
    }
    return try store.destinations(of: relationship, fromEach: references, layout: layout)
  }

  package final func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try objects.map { object in
      let store = try storeForNewObject(object.reference, of: object.layout)
      return try store.permanentReferences(for: [object])[0]
    }
  }

  package final func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    var outcome = BatchOutcome()
    for store in try stores(for: deletion.query) { outcome.add(try store.deleteAll(deletion)) }
    return outcome
  }

  package final func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try storeForNewObject(of: insertion.layout, among: insertion.stores).insertAll(insertion)
  }

  package final func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try stores(for: update.query).reduce(into: BatchOutcome()) { $0.add(try $1.updateAll(update)) }
  }

  /// Each store keeps its part: all of them or none.
  package final func commit(_ changes: ChangeSet) throws -> CommitOutcome { try commit(changes, through: [:]) }

  /// - Parameter locked: the channels of the stores whose write locks are held, by the stores' indexes.
  final func commit(_ changes: ChangeSet, through locked: [Int32: any LockedStore]) throws -> CommitOutcome {
    let stores = openStores
    try requireOpen(stores, for: changes)
    if stores.count == 1, stores[0].configurationName == NSManagedObjectModel.defaultConfigurationName {
      return try commit(changes, to: stores[0], locked: locked) { nil }
    }
    return try commit(try storesWithChanges(changes)[...], locked)
  }

  /// Objects of a store that has been removed can be kept nowhere.
  private func requireOpen(_ stores: [any ObjectStore], for changes: ChangeSet) throws {
    let indexes = stores.map(\.index)
    func isOpen(_ change: ObjectChange) -> Bool { indexes.contains(change.reference.store) }
    guard
      let lost = changes.updated.first(where: { !isOpen($0) })
        ?? changes.deleted.first(where: { !isOpen($0) })
    else { return }
    throw StoreFailure.operation(
      """
      the store of a changed object of entity \(lost.layout.entity.name ?? "") has been removed from the coordinator, \
      so that the change can be kept nowhere; save before a store is removed, and reset the context after it.
      """
    )
  }

  /// The first store writes its part, has the rest kept, and then keeps its own.
  private func commit(
    _ parts: ArraySlice<(store: any ObjectStore, changes: ChangeSet)>,
    _ locked: [Int32: any LockedStore]
  ) throws -> CommitOutcome {
    guard let first = parts.first else { return .saved(permanentReferences: [:]) }
    var (permanent, transactions): ([Int64: ObjectReference], [String: Int64]) = ([:], [:])
    let outcome = try commit(first.changes, to: first.store, locked: locked) {
      let outcome = try commit(parts.dropFirst(), locked)
      guard case .saved(let references, let numbers) = outcome else { return outcome }
      (permanent, transactions) = (references, numbers)
      return nil
    }
    guard case .saved(let references, let numbers) = outcome else { return outcome }
    permanent.merge(references) { first, _ in first }
    transactions.merge(numbers) { first, _ in first }
    return .saved(permanentReferences: permanent, transactions: transactions)
  }

  /// A store without changes is asked only when its metadata have changed.
  private func commit(
    _ changes: ChangeSet,
    to store: any ObjectStore,
    locked: [Int32: any LockedStore],
    with others: () throws -> CommitOutcome?
  ) throws -> CommitOutcome {
    if changes.isEmpty, !store.hasUnsavedMetadata { return try others() ?? .saved(permanentReferences: [:]) }
    let target: any LockedStore = locked[store.index] ?? store
    return try store.savingMetadata { try target.commit(changes, with: others) }
  }

  // MARK: - Which store

  private func openStore(_ index: Int32) -> (any ObjectStore)? { openStores.first { $0.index == index } }

  /// A store, or the state of it that a generation has.
  final func reader(_ index: Int32, generation: QueryGeneration) -> (any StoreReader)? {
    openStore(index).map(generation.reader(of:))
  }

  private func readers(for query: FetchQuery, generation: QueryGeneration?) throws -> [any StoreReader] {
    try stores(for: query).map { generation?.reader(of: $0) ?? $0 }
  }

  /// The state that the stores are in now.
  final func currentGeneration() throws -> QueryGeneration {
    var snapshots: [Int32: any StoreReader] = [:]
    for store in openStores { snapshots[store.index] = try store.snapshot() }
    return QueryGeneration(coordinator: number, snapshots: snapshots)
  }

  private func stores(for query: FetchQuery) throws -> [any ObjectStore] {
    let open = openStores
    if open.isEmpty { throw Self.noStores }
    return open.filter { store in
      guard query.stores?.contains(store.index) ?? true else { return false }
      return query.includesSubentities
        ? canStore(familyOf: query.entity, in: store) : canStore(query.entity, in: store)
    }
  }

  /// The rule for nulls by which a query is answered: that of databases where all stores that it asks are in SQL.
  final func nullRule(for query: FetchQuery) throws -> NullRule {
    let stores = try stores(for: query)
    return !stores.isEmpty && stores.allSatisfy { $0.nullRule == .asInSQL } ? .asInSQL : .asInMemory
  }

  /// The rule for nulls of a store; that of memory where there is no such store.
  final func nullRule(ofStore index: Int32) -> NullRule { openStore(index)?.nullRule ?? .asInMemory }

  /// True when a store's configuration has an entity or one of its subentities.
  final func canStore(familyOf entity: NSEntityDescription, in store: NSPersistentStore) -> Bool {
    canStore(entity, in: store) || entity.subentities.contains { canStore(familyOf: $0, in: store) }
  }

  /// True when a store's configuration has an entity.
  final func canStore(_ entity: NSEntityDescription, in store: NSPersistentStore) -> Bool {
    guard store.configurationName != NSManagedObjectModel.defaultConfigurationName,
      let entities = managedObjectModel.storedEntities(forConfigurationName: store.configurationName)
    else { return true }
    return entities.contains { $0 === entity }
  }

  /// The store that an object was assigned to, or the first that can keep it.
  private func storeForNewObject(
    _ reference: ObjectReference? = nil,
    of layout: EntityLayout,
    among wanted: Set<Int32>? = nil
  ) throws -> any ObjectStore {
    let open = openStores
    if open.isEmpty { throw Self.noStores }
    if let reference, reference.store != ObjectReference.noStore, let assigned = openStore(reference.store) {
      return assigned
    }
    let store = open.first { store in
      !store.isReadOnly && wanted?.contains(store.index) ?? true && canStore(layout.entity, in: store)
    }
    if let store { return store }
    throw StoreFailure.save(
      """
      no store that can be written keeps objects of entity \(layout.entity.name ?? ""); add one whose configuration \
      has the entity.
      """
    )
  }

  private func storesWithChanges(_ changes: ChangeSet) throws -> [(store: any ObjectStore, changes: ChangeSet)] {
    var parts: [Int32: ChangeSet] = [:]
    var places: [Int64: Int32] = [:]
    for change in changes.inserted {
      let store = try storeForNewObject(change.reference, of: change.layout)
      parts[store.index, default: ChangeSet()].inserted.append(change)
      places[change.reference.key] = store.index
    }
    for change in changes.inserted + changes.updated { try requireOneStore(change, places: places) }
    for change in changes.updated { parts[change.reference.store, default: ChangeSet()].updated.append(change) }
    for change in changes.deleted { parts[change.reference.store, default: ChangeSet()].deleted.append(change) }
    // Stores without changes may have metadata to keep.
    return openStores.map { store in
      var part = parts[store.index] ?? ChangeSet()
      part.origin = changes.origin
      part.exchangesUniqueValues = changes.exchangesUniqueValues
      return (store, part)
    }
  }

  /// A relationship stays inside one store.
  ///
  /// - Parameter places: the stores of new objects, by their keys.
  private func requireOneStore(_ change: ObjectChange, places: [Int64: Int32]) throws {
    func store(of reference: ObjectReference) -> Int32? {
      reference.isTemporary ? places[reference.key] : reference.store
    }
    let own = store(of: change.reference)
    func require(_ reference: ObjectReference, key: String) throws {
      guard let other = store(of: reference), other != own else { return }
      throw StoreFailure.save(
        """
        \(change.layout.entity.name ?? "").\(key) leads to an object of another store; relationships stay inside one \
        store. Assign both objects to the same store, or use a fetched property.
        """
      )
    }
    for slot in change.layout.referenceSlots where change.changedSlots.contains(slot) {
      guard case .reference(let reference)? = change.row?.value(slot) else { continue }
      try require(reference, key: change.layout.slots[slot].name)
    }
    for relationship in change.toMany {
      for reference in relationship.added {
        try require(reference, key: change.layout.toMany[relationship.relationship].name)
      }
    }
  }

  // MARK: - Several stores

  /// Each store returns its rows in order. The coordinator sorts all rows once more, and applies the limit.
  private func fetch(_ query: FetchQuery, fromEach stores: [any StoreReader]) throws -> [FetchedRow] {
    var part = query
    part.offset = 0
    part.limit = query.limit()
    part.includesRows = query.includesRows || !query.sortDescriptors.isEmpty
    if query.sortDescriptors.isEmpty {
      let rows = try stores.flatMap { try $0.fetch(part) }.dropFirst(query.offset)
      return Array(query.limit == 0 ? rows : rows.prefix(query.limit))
    }
    // The request may sort by properties that it does not fetch.
    part.properties = nil
    var records: [StoreRecord] = []
    for store in stores {
      records += try store.fetch(part).compactMap { row in StoreRecord(row, reader: store) }
    }
    let sorted = try Sorter(query.sortDescriptors).sorted(records).dropFirst(query.offset)
    return (query.limit == 0 ? sorted : sorted.prefix(query.limit)).map(\.fetched)
  }

  static let noStores = StoreFailure.operation(
    "the persistent store coordinator has no stores; add one by addPersistentStore, or load the container's."
  )

  final func objectID(for url: URL) -> NSManagedObjectID? {
    guard url.scheme == NSManagedObjectID.scheme, let identifier = url.host,
      let store = openStores.first(where: { $0.identifier.caseInsensitiveCompare(identifier) == .orderedSame }
      ),
      url.pathComponents.count == 3, let entity = managedObjectModel.entitiesByName[url.pathComponents[1]],
      url.pathComponents[2].first == "p", let key = Int64(url.pathComponents[2].dropFirst()), key > 0
    else { return nil }
    let reference = ObjectReference(key: key, entity: entity.layout.number, store: store.index)
    return NSManagedObjectID(
      reference: reference,
      layout: entity.layout,
      model: managedObjectModel,
      store: store
    )
  }
}
