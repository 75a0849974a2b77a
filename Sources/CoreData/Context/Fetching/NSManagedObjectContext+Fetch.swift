import Foundation
import Predicates

extension NSManagedObjectContext {
  /// Returns the objects that a request finds, in the form that it asks for: objects, IDs, dictionaries or their count.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.predicate = NSPredicate(format: "rating >= 3")
  /// let first = try context.fetch(request)
  /// let second = try context.fetch(request)
  /// print(Set(first).union(second).count)  // 2: the objects of both are the same
  /// ```
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - fileID: the file of the call, which ``faultPolicy`` names.
  ///   - line: the line of the call.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  public final func fetch<ResultType>(
    _ request: NSFetchRequest<ResultType>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws -> [ResultType] {
    guard let faultWatch else { return try foundResults(of: request) }
    let outer = faultWatch.place
    faultWatch.place = FaultWatch.Place(fileID: fileID, line: line)
    defer { faultWatch.place = outer }
    return try foundResults(of: request)
  }

  /// Returns the objects that a request finds, in the form that it asks for, where the method is
  /// handed on as a function.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  @_disfavoredOverload
  public final func fetch<Found>(_ request: NSFetchRequest<Found>) throws -> [Found] { try foundResults(of: request) }

  private final func foundResults<ResultType>(of request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    try CocoaError.ofPredicates { try resultsInForm(of: request) }
  }

  private final func resultsInForm<ResultType>(of request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    if request.isOfObjects { return try results(fetchObjects(request), of: request) }
    switch request.resultType {
    case .countResultType: return try Self.cast([NSNumber(value: try countObjects(request))], request: request)
    case .dictionaryResultType: return try Self.cast(fetchDictionaries(request), request: request)
    default:
      throw StoreFailure.operation(
        "a fetch request has the result type \(request.resultType.rawValue); set one of the four there are."
      )
    }
  }

  /// Objects in the form that a request asks for: themselves, or their IDs.
  final func results<ResultType>(
    _ objects: [NSManagedObject],
    of request: NSFetchRequest<ResultType>
  ) throws -> [ResultType] {
    if request.resultType == .managedObjectResultType {
      return try objects.ofOneClass(as: ResultType.self) ?? Self.cast(objects, request: request)
    }
    return try Self.cast(objects.map(\.objectID), request: request)
  }

  /// The objects that a request finds.
  final func fetchObjects(_ request: some AnyFetchRequest) throws -> [NSManagedObject] {
    var query = try request.query(for: try entity(of: request))
    if request.fetchBatchSize > 0 { query.includesRows = false }
    let objects = try fetchObjects(query, includesPendingChanges: request.includesPendingChanges)
    return try prepared(objects, for: request, of: query.entity)
  }

  /// Fetched objects in the state that a request asks for.
  ///
  /// - Parameter entity: that of the request.
  final func prepared(
    _ objects: [NSManagedObject],
    for request: some AnyFetchRequest,
    of entity: NSEntityDescription
  ) throws -> [NSManagedObject] {
    faultWatch?.found(objects, of: entity)
    if request.shouldRefreshRefetchedObjects { try readAgain(objects) }
    if request.fetchBatchSize > 0 {
      let keyPaths = request.relationshipKeyPathsForPrefetching ?? []
      assignBatches(objects, of: entity, size: request.fetchBatchSize, keyPaths: keyPaths)
      return objects
    }
    try throwingReadFailures {
      if let keyPaths = request.relationshipKeyPathsForPrefetching {
        try prefetch(keyPaths, of: objects, entity: entity)
      }
      if !request.returnsObjectsAsFaults { for object in objects { object.fireFaultIfNeeded() } }
    }
    return objects
  }

  /// Gives objects the values that the store has now. Their unsaved changes stay.
  private final func readAgain(_ objects: [NSManagedObject]) throws {
    try throwingReadFailures {
      for object in objects { refreshObject(object, mergesChanges: true) }
    }
    _ = try throwingReadFailures { try self.objects(withValuesFor: objects.map(\.reference)) }
  }

  final func fetchObjects(_ query: FetchQuery, includesPendingChanges: Bool) throws -> [NSManagedObject] {
    checkConfinement("fetch(_:)")
    processChanges()
    pullReferences()
    let asked = queryOfStores(for: query, includesPendingChanges: includesPendingChanges)
    let rows = try connectedChannel().fetch(asked)
    return try throwingReadFailures {
      try objects(for: rows, askedBy: asked, of: query, includesPendingChanges: includesPendingChanges)
    }
  }

  final func countObjects(_ request: some AnyFetchRequest) throws -> Int {
    checkConfinement("count(for:)")
    let query = try request.query(for: try entity(of: request))
    processChanges()
    pullReferences()
    if request.includesPendingChanges, !changedObjects(of: query).isEmpty {
      return try fetchObjects(query, includesPendingChanges: true).count
    }
    return try connectedChannel().count(query)
  }

  // MARK: - Unsaved changes

  /// The objects with unsaved changes that a query might find, or might have found.
  final func changedObjects(of query: FetchQuery) -> [NSManagedObject] {
    pending.filter { object in
      object.hasChanges && query.keys?.contains(object.key) ?? true && isIn(query.stores, object: object)
        && (query.includesSubentities
          ? object.layout.entity.isKindOf(entity: query.entity) : object.layout.entity === query.entity)
    }
  }

  /// Returns true when an object is in one of some stores. A new object that no store is chosen for may come into any.
  private final func isIn(_ stores: Set<Int32>?, object: NSManagedObject) -> Bool {
    object.store == ObjectReference.noStore || stores?.contains(object.store) ?? true
  }

  /// The query that the stores are asked instead of the given one. It asks for more rows than the
  /// given query where unsaved changes may remove rows from the result.
  final func queryOfStores(for query: FetchQuery, includesPendingChanges: Bool) -> FetchQuery {
    let changed = includesPendingChanges ? changedObjects(of: query) : []
    if changed.isEmpty { return query }
    var wider = query
    wider.offset = 0
    wider.limit = query.limit(with: changed.count)
    wider.includesRows = true
    return wider
  }

  /// Returns the objects that a query finds, given the rows that the stores have returned. If the
  /// query includes unsaved changes, the stores answer for all unchanged objects. The context
  /// evaluates the predicate for the changed ones, by memory's rule for nulls, not by the store's.
  final func objects(
    for rows: [FetchedRow],
    askedBy asked: FetchQuery,
    of query: FetchQuery,
    includesPendingChanges: Bool
  ) throws -> [NSManagedObject] {
    let changed = includesPendingChanges ? changedObjects(of: query) : []
    if changed.isEmpty, asked.limit == query.limit, asked.offset == query.offset { return objects(for: rows) }
    // Objects may have changed since the stores were asked.
    let isWideEnough = asked.offset == 0 && (asked.limit == 0 || asked.limit >= query.limit(with: changed.count))
    if !isWideEnough { return try fetchObjects(query, includesPendingChanges: includesPendingChanges) }
    return try overlay(changed, on: objects(for: rows), query: query)
  }

  private final func overlay(
    _ changed: [NSManagedObject],
    on objects: [NSManagedObject],
    query: FetchQuery
  ) throws -> [NSManagedObject] {
    let identities = Set(changed.map(ObjectIdentifier.init))
    var found = objects.filter { !identities.contains(ObjectIdentifier($0)) }
    let matches = try query.predicate.map { try PredicateEvaluator($0) }
    for object in changed where !object.isDeleted {
      if try matches?(object) ?? true { found.append(object) }
    }
    let rest = try Sorter(query.sortDescriptors).sorted(found).dropFirst(query.offset)
    return Array(query.limit == 0 ? rest : rest.prefix(query.limit))
  }

  // MARK: - Forms of results

  final func fetchDictionaries(_ request: some AnyFetchRequest) throws -> [NSDictionary] {
    let entity = try entity(of: request)
    let fetch = try DictionaryFetch(request, entity: entity, nulls: nullRule(of: request, entity: entity))
    if let ofRows = fetch.ofRows,
      let rows = try rowsOfStores(for: fetch.query, properties: ofRows.names, request: request)
    {
      return try ofRows.dictionaries(of: rows, in: self)
    }
    if let found = try aggregatedDictionaries(fetch, request: request) { return found }
    return try throwingReadFailures {
      try fetch.results(try fetchObjects(fetch.query, includesPendingChanges: request.includesPendingChanges))
    }
  }

  /// The rule for nulls of the stores that a request asks.
  private final func nullRule(of request: some AnyFetchRequest, entity: NSEntityDescription) throws -> NullRule {
    var query = FetchQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.stores = request.storeIndexes
    return try persistentStoreCoordinator?.nullRule(for: query) ?? .asInMemory
  }

  /// The rows that the stores have; `nil` where unsaved changes count, which only objects have, and
  /// where a store gives keys alone.
  private final func rowsOfStores(
    for query: FetchQuery,
    properties: [String],
    request: some AnyFetchRequest
  ) throws -> [FetchedRow]? {
    checkConfinement("fetch(_:)")
    processChanges()
    pullReferences()
    if request.includesPendingChanges, !changedObjects(of: query).isEmpty { return nil }
    var query = query
    query.properties = Set(properties)
    let rows = try connectedChannel().fetch(query)
    return rows.contains { $0.row == nil } ? nil : rows
  }

  private static func cast<Result, ResultType>(
    _ results: [Result],
    request: NSFetchRequest<ResultType>
  ) throws -> [ResultType] {
    if let cast = results as? [ResultType] { return cast }
    throw StoreFailure.operation(
      """
      a fetch request for \(request.entityName ?? "") found \(results.first.map { "\(Swift.type(of: $0))" } ?? ""), \
      and was to find \(ResultType.self); make the request for that class, or set the entity's class.
      """
    )
  }

  /// The entity of a request in the context's own model.
  final func entity(of request: some AnyFetchRequest) throws -> NSEntityDescription {
    let model = connectedModel
    if let name = request.entityName, let entity = model.entitiesByName[name] { return entity }
    throw CocoaError.coreData(
      NSCoreDataError,
      message: """
        a fetch request asks for the entity \(request.entityName ?? "(none)"), which the model does not have; its \
        entities are \(model.entitiesByName.keys.sorted().joined(separator: ", ")).
        """
    )
  }
}

extension NSManagedObjectContext: FetchingContext {
  /// Carries out the fetch of an ``NSFetchRequestExpression``.
  ///
  /// - Throws: `PredicateEvaluationError` when the value is not a fetch request, and the errors of
  ///   ``fetch(_:)`` and ``count(for:)``.
  package final func result(ofFetch request: Any?, countOnly: Bool) throws -> Any? {
    guard let request = request as? any AnyFetchRequest else {
      throw PredicateEvaluationError("The first part of FETCH should be a fetch request, and is \(request ?? "null")")
    }
    return countOnly
      ? try count(for: request.copy(of: (any NSFetchRequestResult).self)) : try request.results(in: self)
  }
}
