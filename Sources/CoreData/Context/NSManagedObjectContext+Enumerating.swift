/// Perennial's own.
extension NSManagedObjectContext {
  /// Goes over the saved objects that a request finds, some at a time, so that they need not be in memory together.
  ///
  /// SQLite stores are asked for each batch by itself, in the order of their keys; other stores and parent contexts have
  /// their objects in memory anyway, and are asked once. Unsaved changes do not count, and neither do the request's sort
  /// descriptors, limit and offset.
  ///
  /// - Parameters:
  ///   - size: how many objects there are in a batch, at least 1; the last has less.
  ///   - body: called with each batch, with values; it may save, and let go of the objects.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out, or what the body throws.
  public final func forEachBatch(
    of request: NSFetchRequest<NSManagedObject>,
    size: Int,
    _ body: ([NSManagedObject]) throws -> Void
  ) throws {
    checkConfinement()
    var query = FetchQuery(entity: try entity(of: request))
    query.includesSubentities = request.includesSubentities
    query.predicate = request.predicate
    guard parentSet == nil, let stores = coordinatorSet?.openStores,
      stores.allSatisfy({ $0 is any TransactionalStore })
    else {
      let found = try fetchObjects(query, includesPendingChanges: false)
      for start in stride(from: 0, to: found.count, by: size) {
        try body(try prepared(Array(found[start...].prefix(size)), for: request))
      }
      return
    }
    query.limit = size
    for store in stores {
      query.stores = [store.index]
      query.after = .min
      while true {
        let rows = try connectedChannel().fetch(query)
        guard let last = rows.last else { break }
        try body(try prepared(objects(for: rows), for: request))
        query.after = last.key
      }
    }
  }
}
