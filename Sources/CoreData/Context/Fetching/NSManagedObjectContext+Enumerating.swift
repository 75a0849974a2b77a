import Foundation
import Predicates

/// Perennial's own.
extension NSManagedObjectContext {
  /// Calls a closure with the saved objects that a request finds, batch by batch, so that they need
  /// not be in memory together.
  ///
  /// SQLite stores are queried once per batch, in the order of their keys. Other stores and parent
  /// contexts are queried once, because they have their objects in memory anyway. The method
  /// ignores unsaved changes, and the request's sort descriptors, limit and offset.
  ///
  /// ```swift
  /// var batchCount = 0
  /// let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
  /// try context.forEachBatch(of: request, size: 2) { notes in
  ///   batchCount += 1
  ///   for case let note as Note in notes { note.rating += 1 }
  ///   try context.save()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: the request that finds the objects.
  ///   - size: the number of objects in a batch, at least 1; the last has less.
  ///   - body: called with each batch, with values. The closure may save, and release the objects.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out, or what the body throws.
  public final func forEachBatch(
    of request: NSFetchRequest<NSManagedObject>,
    size: Int,
    _ body: ([NSManagedObject]) throws -> Void
  ) throws {
    checkConfinement()
    let query = try enumeration(of: request)
    let size = max(size, 1)
    if let stores = storesAskedInBatches {
      return try forEachBatch(of: query, in: stores, size: size) { rows in
        try body(try prepared(objects(for: rows), for: request, of: query.entity))
      }
    }
    let found = try fetchObjects(query, includesPendingChanges: false)
    for start in stride(from: 0, to: found.count, by: min(size, max(found.count, 1))) {
      try body(try prepared(Array(found[start...].prefix(size)), for: request, of: query.entity))
    }
  }

  /// Calls a closure with the saved values of each object that a request finds, without making the objects.
  ///
  /// The documentation of ``forEachBatch(of:size:_:)`` describes the stores and the parts of the request that are used;
  /// it applies here too. Objects that only a parent context has are left out.
  ///
  /// ```swift
  /// var titles: [String] = []
  /// let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
  /// try context.forEachSavedValues(of: request, attributes: ["title", "rating"]) { note in
  ///   if let title = note.values[0] as? String { titles.append(title) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: the request that finds the objects.
  ///   - attributes: the names of attributes that are not transient.
  ///   - body: called with each object's values.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out or an
  ///   attribute is not the entity's, or what the body throws.
  public final func forEachSavedValues(
    of request: NSFetchRequest<NSManagedObject>,
    attributes: [String],
    _ body: (SavedValues) throws -> Void
  ) throws {
    checkConfinement()
    var query = try enumeration(of: request)
    query.properties = Set(attributes)
    var columns = try SavedColumns(attributes, of: query.entity)
    let channel = try connectedChannel()
    func read(_ rows: [FetchedRow]) throws {
      for fetched in rows where !fetched.reference.isTemporary {
        guard
          let row = try fetched.row ?? channel.row(of: fetched.reference, layout: fetched.layout)?.row
        else { continue }
        try body(try columns.values(of: row, key: fetched.key, layout: fetched.layout))
      }
    }
    guard let stores = storesAskedInBatches else { return try read(channel.fetch(query)) }
    try forEachBatch(of: query, in: stores, size: Self.rowsAtOnce, read)
  }

  private static let rowsAtOnce = 5000

  /// The query that stores are asked for a request that is gone through.
  private final func enumeration(of request: NSFetchRequest<NSManagedObject>) throws -> FetchQuery {
    var query = FetchQuery(entity: try entity(of: request))
    query.includesSubentities = request.includesSubentities
    query.predicate = try request.predicate?.resolvingFetches()
    return query
  }

  /// The stores, if all of them can return their rows in batches.
  private final var storesAskedInBatches: [any ObjectStore]? {
    guard parentSet == nil, let stores = coordinatorSet?.openStores,
      stores.allSatisfy({ $0 is any TransactionalStore })
    else { return nil }
    return stores
  }

  private final func forEachBatch(
    of query: FetchQuery,
    in stores: [any ObjectStore],
    size: Int,
    _ body: ([FetchedRow]) throws -> Void
  ) throws {
    var query = query
    query.limit = size
    for store in stores {
      query.stores = [store.index]
      query.after = .min
      while true {
        let rows = try connectedChannel().fetch(query)
        guard let last = rows.last else { break }
        try body(rows)
        query.after = last.key
      }
    }
  }
}
