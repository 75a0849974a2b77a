import Foundation

extension NSManagedObjectContext {
  final func executeRequest(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    if let request = request as? NSPersistentHistoryChangeRequest { return try execute(request) }
    guard let request = request as? NSBatchDeleteRequest else {
      throw CocoaError.coreData(
        NSPersistentStoreUnsupportedRequestTypeError,
        """
        execute(_:) carries out NSBatchDeleteRequest and NSPersistentHistoryChangeRequest, and was given \(Swift.type(of: request)); fetch by fetch(_:) \
        and save by save().
        """
      )
    }
    return try execute(request)
  }

  private final func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult
  {
    guard let coordinator = persistentStoreCoordinator else {
      _ = try connectedChannel()
      throw NSPersistentStoreCoordinator.noStores
    }
    return try coordinator.execute(request)
  }

  private final func execute(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    var query = request.fetchRequest.query(for: try entity(of: request.fetchRequest))
    query.includesRows = false
    query.stores = request.storeIndexes ?? query.stores
    query.origin = origin
    let deleted = try connectedChannel().deleteAll(query)
    let result: Any =
      switch request.resultType {
      case .resultTypeStatusOnly: true
      case .resultTypeCount: deleted.count
      case .resultTypeObjectIDs: deleted.map(objectID(for:))
      }
    return NSBatchDeleteResult(result: result, resultType: request.resultType)
  }

  final func objectID(for reference: ObjectReference) -> NSManagedObjectID {
    NSManagedObjectID(
      reference: reference,
      layout: layout(reference.entity),
      model: connectedModel,
      store: store(at: reference.store)
    )
  }
}
