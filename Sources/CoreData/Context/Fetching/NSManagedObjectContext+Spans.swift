import Foundation

extension NSManagedObjectContext {
  /// Fetches saved objects. The store sorts objects that are equal to the sort descriptors by their
  /// keys, so that pages of them neither overlap nor omit an object.
  ///
  /// Unsaved changes do not count. Stores of an application's own do not know of keys, and answer as
  /// if there were no span.
  ///
  /// - Parameters:
  ///   - request: the objects, with sort descriptors and a limit.
  ///   - span: the keys that the objects may have, and the order of them.
  ///   - beyond: matches objects that may have any key, namely those that the sort descriptors put
  ///     after all objects that the span bounds.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  package final func fetch(
    _ request: NSFetchRequest<NSManagedObject>,
    in span: KeySpan,
    or beyond: NSPredicate? = nil
  ) throws -> [NSManagedObject] {
    try CocoaError.ofPredicates {
      var query = try request.query(for: try entity(of: request))
      query.span = span
      query.beyond = beyond
      let objects = try fetchObjects(query, includesPendingChanges: false)
      return try prepared(objects, for: request, of: query.entity)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// The ID of an object in the first store, be it there or not; `nil` for a key that no object has.
  package func objectID(of entity: NSEntityDescription, key: Int64) -> NSManagedObjectID? {
    guard key > 0, let store = openStores.first else { return nil }
    let layout = entity.layout
    let reference = ObjectReference(key: key, entity: layout.number, store: store.index)
    return NSManagedObjectID(reference: reference, layout: layout, model: managedObjectModel, store: store)
  }

  /// The IDs of the first destinations of a to-many relationship, without a fetch of the others, in
  /// order where it is ordered.
  ///
  /// - Parameters:
  ///   - relationship: the name of a relationship of the object's entity.
  ///   - limit: the largest number of IDs.
  /// - Returns: `nil` for a store that has its objects in memory, and for an application's own store.
  package func destinationIDs(
    of relationship: String,
    from id: NSManagedObjectID,
    atMost limit: Int
  ) throws -> [NSManagedObjectID]? {
    guard let store = id.persistentStore as? any BoundedDestinationStore,
      case .toMany(let number) = id.layout.places[relationship]
    else { return nil }
    let layouts = Dictionary(
      managedObjectModel.numberedEntities.map { ($0.layout.number, $0.layout) },
      uniquingKeysWith: { first, _ in first }
    )
    let found = try store.destinations(of: number, from: id.reference, layout: id.layout, atMost: limit)
    return found.compactMap { reference in
      layouts[reference.entity].map { layout in
        NSManagedObjectID(reference: reference, layout: layout, model: managedObjectModel, store: store)
      }
    }
  }

  /// The statement and the query plan of a fetch of objects in a span; `nil` as for ``explanation(of:)``.
  package func explanation(
    of request: NSFetchRequest<NSManagedObject>,
    in span: KeySpan,
    or beyond: NSPredicate? = nil
  ) throws -> FetchExplanation? {
    guard let name = request.entityName, let entity = managedObjectModel.entitiesByName[name],
      let store = explainingStore
    else { return nil }
    var query = try request.query(for: entity)
    query.span = span
    query.beyond = beyond
    return try store.explanation(of: query)
  }
}
