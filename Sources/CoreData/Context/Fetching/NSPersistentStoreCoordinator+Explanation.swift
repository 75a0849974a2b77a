extension NSPersistentStoreCoordinator {
  /// The statement and the query plan of a fetch in the first store that runs SQL; `nil` when there is no such
  /// store, or the model has no entity of the request's name.
  ///
  /// - Throws: an error that names the part of the fetch that has no SQL, or says that the store
  ///   does not keep the entity.
  package func explanation<ResultType>(of request: NSFetchRequest<ResultType>) throws -> FetchExplanation? {
    guard let name = request.entityName, let entity = managedObjectModel.entitiesByName[name],
      let store = explainingStore
    else { return nil }
    guard request.resultType == .dictionaryResultType else {
      return try store.explanation(of: request.query(for: entity))
    }
    let fetch = try DictionaryFetch(request, entity: entity)
    if let query = fetch.ofGroups?.query, let explanation = try store.explanation(of: query) { return explanation }
    return try store.explanation(of: fetch.query)
  }

  /// The first store that is asked in SQL.
  final var explainingStore: (any ExplainingStore)? {
    persistentStores.lazy.compactMap { $0 as? any ExplainingStore }.first
  }
}
