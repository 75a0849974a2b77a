import Foundation

extension NSManagedObjectContext {
  /// The dictionaries of a request, as far as the stores can work them out; `nil` where objects have
  /// to be fetched for them.
  final func aggregatedDictionaries(_ fetch: DictionaryFetch, request: some AnyFetchRequest) throws -> [NSDictionary]? {
    guard let ofGroups = fetch.ofGroups,
      let rows = try aggregate(ofGroups.query, includesPendingChanges: request.includesPendingChanges)
    else { return nil }
    return ofGroups.dictionaries(of: rows, in: self)
  }

  /// The values that a query asks for; `nil` where unsaved changes count, which only objects have,
  /// and where the stores cannot say the query.
  final func aggregate(_ query: AggregateQuery, includesPendingChanges: Bool) throws -> AggregateRows? {
    checkConfinement("fetch(_:)")
    processChanges()
    pullReferences()
    if includesPendingChanges, hasUnsavedValues(of: query) { return nil }
    return try connectedChannel().aggregate(query)
  }

  /// Returns true when an object with unsaved changes may match a query, or be a destination of the query's key paths.
  private final func hasUnsavedValues(of query: AggregateQuery) -> Bool {
    if !changedObjects(of: query.objects).isEmpty { return true }
    let entities = query.entities
    if entities.isEmpty { return false }
    return pending.contains { object in
      object.hasChanges && entities.contains { object.layout.entity.isKindOf(entity: $0) }
    }
  }
}
