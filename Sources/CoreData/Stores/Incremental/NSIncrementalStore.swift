public import Foundation

/// The superclass of an application's own stores that load data on demand, such as web services and other databases.
///
/// A subclass overrides `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`. The contexts
/// that these receive belong to the store: they have the objects of the request, but are not the
/// contexts that made it. See <https://developer.apple.com/documentation/coredata/nsincrementalstore>.
// One thread at a time calls it, under its lock. Subclasses are responsible for the properties that they add.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
  private final let names = ReferenceObjects()
  private final let lock = NSRecursiveLock()

  // MARK: - For subclasses to override

  /// Answers a request: a fetch by objects (of the context), object IDs or counts, as its result
  /// type says; a save (`NSSaveChangesRequest`) by an empty array.
  ///
  /// - Throws: why the request cannot be answered.
  open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override execute(_:with:).")
  }

  /// The values of an object.
  ///
  /// - Throws: the reason for which the store cannot provide them; an error with the code
  ///   `NSManagedObjectReferentialIntegrityError` when there is no such object.
  open func newValuesForObject(
    with objectID: NSManagedObjectID,
    with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    fatalError("\(Swift.type(of: self)) must override newValuesForObject(with:with:).")
  }

  /// The destination of a to-one relationship as an object ID or `NSNull`, those of a to-many
  /// relationship as an array or set of object IDs.
  ///
  /// - Throws: the reason for which the store cannot provide them.
  open func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    fatalError("\(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:).")
  }

  /// The permanent IDs of new objects, in their order, made by `newObjectID(for:referenceObject:)`.
  ///
  /// - Throws: the reason for which the store cannot provide them.
  open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    fatalError("\(Swift.type(of: self)) must override obtainPermanentIDs(for:).")
  }

  /// An identifier for a store that is new at a place.
  open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

  // MARK: - Names of objects

  /// The ID of the object with a name: a number, a text or another value that can be compared, of
  /// its own among the objects of the entity's family.
  open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
    guard let name = data as? AnyHashable else {
      fatalError("\(Swift.type(of: data)) is not a reference object; give a number, a text or another hashable value.")
    }
    return makeID(names.key(of: name, root: entity.layout.rootNumber), entity: entity)
  }

  /// The name of an object.
  open func referenceObject(for objectID: NSManagedObjectID) -> Any {
    guard let name = names.name(of: objectID.reference.key, root: objectID.layout.rootNumber) else {
      fatalError(
        "\(objectID.uriRepresentation()) is not an ID of this store; take one from newObjectID(for:referenceObject:)."
      )
    }
    return name
  }
}

// MARK: - The store

extension NSIncrementalStore: WholeFileStore {
  package final func open(model: NSManagedObjectModel) throws {
    try loadMetadata()
    let fresh = Swift.type(of: self).identifierForNewStore(at: url ?? StoreFile.nowhere)
    identifier = metadata[NSStoreUUIDKey] as? String ?? identifier ?? "\(fresh)"
    metadata[NSStoreUUIDKey] = identifier
    metadata[NSStoreTypeKey] = metadata[NSStoreTypeKey] ?? type
  }

  package final func relocate(to url: URL) throws {
    let former = self.url
    self.url = url
    do {
      try loadMetadata()
    } catch {
      self.url = former
      throw error
    }
  }

  package final func close() throws {}

  package static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
    if url.isFileURL { try StoreFile(url).remove() }
  }

  // MARK: - Reading

  package final func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    let context = makeContext()
    // A predicate cannot pass keys to the store, so the fetch also finds objects without any of these keys.
    let keys = query.keys.map(Set.init)
    let found = try execute(request(query, resultType: .managedObjectIDResultType), with: context)
    return try (found as? [Any] ?? []).compactMap { item in
      guard let reference = ObjectIDs.references(in: item).first, keys?.contains(reference.key) ?? true else {
        return nil
      }
      let layout = layout(reference)
      if query.includesRows { return try row(reference, layout: layout, context: context) }
      return FetchedRow(key: reference.key, store: index, layout: layout, row: nil)
    }
  }

  package final func count(_ query: FetchQuery) throws -> Int {
    switch try execute(request(query, resultType: .countResultType), with: makeContext()) {
    case let number as NSNumber: number.intValue
    case let numbers as [NSNumber]: numbers.first?.intValue ?? 0
    case let array as [Any]: array.count
    default: 0
    }
  }

  package final func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try row(reference, layout: self.layout(reference), context: makeContext())
  }

  private final func row(
    _ reference: ObjectReference,
    layout: EntityLayout,
    context: NSManagedObjectContext
  ) throws -> FetchedRow? {
    let id = makeID(reference.key, entity: layout.entity)
    let node: NSIncrementalStoreNode
    do {
      node = try newValuesForObject(with: id, with: context)
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return nil
    }
    let row = Row(layout: layout)
    row.version = Int64(clamping: node.version)
    row.setTransientDefaults()
    for slot in layout.persistentSlots {
      row.set(
        try layout.storedValue(try value(slot, of: node, layout: layout, context: context), slot: slot, of: id),
        slot: slot
      )
    }
    return FetchedRow(key: reference.key, store: index, layout: layout, row: row)
  }

  /// A node may omit to-one relationships.
  private final func value(
    _ slot: Int,
    of node: NSIncrementalStoreNode,
    layout: EntityLayout,
    context: NSManagedObjectContext
  ) throws -> Any? {
    if let value = node.value(for: layout.slots[slot].property) { return value }
    guard let relationship = layout.slots[slot].relationship else { return nil }
    return try newValue(forRelationship: relationship, forObjectWith: node.objectID, with: context)
  }

  package final func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    ObjectIDs.references(
      in: try newValue(
        forRelationship: layout.toMany[relationship].relationship,
        forObjectWith: makeID(reference.key, entity: layout.entity),
        with: makeContext()
      )
    )
  }

  // MARK: - Writing

  package final func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    let context = makeContext()
    let inserted = objects.map {
      NSEntityDescription.insertNewObject(forEntityName: $0.layout.entity.name ?? "", into: context)
    }
    return try obtainPermanentIDs(for: inserted).map(\.reference)
  }

  package final func commit(_ changes: ChangeSet, with others: () throws -> CommitOutcome?) throws
    -> CommitOutcome
  {
    try lock.withLock {
      let context = try makeSavingContext(changes)
      let new = changes.inserted.filter(\.reference.isTemporary).map { context.object(for: $0.reference) }
      var permanent: [Int64: ObjectReference] = [:]
      if !new.isEmpty {
        let keys = new.map(\.reference.key)
        permanent = Dictionary(uniqueKeysWithValues: zip(keys, try obtainPermanentIDs(for: new).map(\.reference)))
        context.assignReferences(permanent)
      }
      let request = NSSaveChangesRequest(
        inserted: context.insertedObjects,
        updated: context.updatedObjects,
        deleted: context.deletedObjects,
        locked: nil
      )
      if let outcome = try others() { return outcome }
      _ = try execute(request, with: context)
      return .saved(permanentReferences: permanent)
    }
  }

  package final func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { throw noBatches }

  package final func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { throw noBatches }

  package final func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { throw noBatches }

  private final var noBatches: any Error {
    StoreFailure.error(
      NSPersistentStoreUnsupportedRequestTypeError,
      message:
        "\(Swift.type(of: self)) takes no batch requests; fetch the objects and change them in a context.",
      file: url
    )
  }

  // MARK: - Requests

  private final func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  private final func request(
    _ query: FetchQuery,
    resultType: NSFetchRequestResultType
  ) -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: query.entity.name ?? "")
    request.entity = query.entity
    request.predicate = query.predicate
    request.sortDescriptors = query.sortDescriptors.isEmpty ? nil : query.sortDescriptors
    request.fetchLimit = query.limit
    request.fetchOffset = query.offset
    request.includesSubentities = query.includesSubentities
    request.resultType = resultType
    return request
  }

  private final func layout(_ reference: ObjectReference) -> EntityLayout {
    let model = persistentStoreCoordinator?.managedObjectModel
    guard let entity = model?.numberedEntities[Int(reference.entity) - 1] else {
      fatalError(
        "an ID of an entity that is not in the coordinator's model; make IDs by newObjectID(for:referenceObject:)."
      )
    }
    return entity.layout
  }
}
