import Foundation
import Predicates

extension NSManagedObjectContext {
  /// What a request finds, in the form that it asks for.
  ///
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  public final func fetch<ResultType>(_ request: NSFetchRequest<ResultType>) throws -> [ResultType] {
    if request.resultType == .managedObjectResultType {
      return try Self.cast(fetchObjects(request), request)
    }
    return try Self.cast(fetchOther(request), request)
  }

  /// The objects that a request finds.
  final func fetchObjects(_ request: some AnyFetchRequest) throws -> [NSManagedObject] {
    let query = request.query(for: try entity(of: request))
    let objects = try fetchObjects(query, includesPendingChanges: request.includesPendingChanges)
    if request.shouldRefreshRefetchedObjects {
      for object in objects { refreshObject(object, keepsChanges: true) }
    }
    if !request.returnsObjectsAsFaults { for object in objects { object.fireFaultIfNeeded() } }
    return objects
  }

  final func fetchObjects(_ query: FetchQuery, includesPendingChanges: Bool) throws -> [NSManagedObject] {
    checkConfinement()
    processChanges()
    adoptReferences()
    let changed = includesPendingChanges ? changedObjects(of: query) : []
    if changed.isEmpty { return objects(for: try connectedChannel().fetch(query)) }
    return try overlay(changed, on: query)
  }

  final func countObjects(_ request: some AnyFetchRequest) throws -> Int {
    checkConfinement()
    let query = request.query(for: try entity(of: request))
    processChanges()
    adoptReferences()
    if request.includesPendingChanges, !changedObjects(of: query).isEmpty {
      return try fetchObjects(query, includesPendingChanges: true).count
    }
    return try connectedChannel().count(query)
  }

  // MARK: - Unsaved changes

  /// The objects with unsaved changes that a query might find, or might have found.
  private final func changedObjects(of query: FetchQuery) -> [NSManagedObject] {
    pending.filter { object in
      object.hasChanges
        && (query.includesSubentities
          ? object.layout.entity.isKindOf(entity: query.entity) : object.layout.entity === query.entity)
    }
  }

  /// What a query finds when unsaved changes count: the store answers for all other objects, and the predicate is
  /// evaluated for the changed ones.
  private final func overlay(_ changed: [NSManagedObject], on query: FetchQuery) throws -> [NSManagedObject] {
    var wider = query
    wider.offset = 0
    wider.limit = query.limit == 0 ? 0 : query.limit + query.offset + changed.count
    wider.includesRows = true
    let identities = Set(changed.map(ObjectIdentifier.init))
    var found = objects(for: try connectedChannel().fetch(wider))
      .filter { !identities.contains(ObjectIdentifier($0)) }
    let matches = try query.predicate.map { try PredicateEvaluator($0) }
    for object in changed where !object.isDeleted {
      if try matches?(object) ?? true { found.append(object) }
    }
    let rest = try Sorter(query.sortDescriptors).sorted(found).dropFirst(query.offset)
    return Array(query.limit == 0 ? rest : rest.prefix(query.limit))
  }

  // MARK: - Forms of results

  private final func fetchOther(_ request: some AnyFetchRequest) throws -> [Any] {
    switch request.resultType {
    case .countResultType: return [NSNumber(value: try countObjects(request))]
    case .managedObjectIDResultType: return try fetchObjects(request).map(\.objectID)
    case .dictionaryResultType:
      let keys = try keysToFetch(request)
      return try fetchObjects(request).map { object in
        NSDictionary(dictionary: object.dictionaryWithValues(forKeys: keys).filter { !($0.value is NSNull) })
      }
    default:
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        "a fetch request has the result type \(request.resultType.rawValue); set one of the four there are."
      )
    }
  }

  private final func keysToFetch(_ request: some AnyFetchRequest) throws -> [String] {
    let entity = try entity(of: request)
    guard let properties = request.propertiesToFetch else { return entity.allAttributes.map(\.name) }
    return try properties.map { property in
      if let name = property as? String, entity.allPropertiesByName[name] != nil { return name }
      if let description = property as? NSPropertyDescription { return description.name }
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        "propertiesToFetch names \(property), and entity \(entity.name ?? "") has no such property."
      )
    }
  }

  private static func cast<Result, ResultType>(
    _ results: [Result],
    _ request: NSFetchRequest<ResultType>
  ) throws -> [ResultType] {
    if let cast = results as? [ResultType] { return cast }
    throw CocoaError.coreData(
      NSPersistentStoreOperationError,
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
      """
      a fetch request asks for the entity \(request.entityName ?? "(none)"), which the model does not have; its \
      entities are \(model.entitiesByName.keys.sorted().joined(separator: ", ")).
      """
    )
  }
}
