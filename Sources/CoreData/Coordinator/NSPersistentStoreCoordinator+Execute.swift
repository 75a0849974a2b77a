import Foundation

extension NSPersistentStoreCoordinator {
  /// Carries out a request: a fetch, an asynchronous fetch or a batch request.
  ///
  /// - Parameters:
  ///   - request: the request, whose entity is one of the model of the coordinator.
  ///   - context: the context that objects are made in, and whose merge policy counts; one of this
  ///     coordinator, used on its queue.
  /// - Returns: the results of a fetch as an array, and an ``NSPersistentStoreResult`` for any other request.
  /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out.
  @discardableResult
  public final func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
    guard context.persistentStoreCoordinator === self else {
      throw StoreFailure.operation(
        "a coordinator executes requests with a context of its own; give it one whose persistentStoreCoordinator it is."
      )
    }
    if let fetch = request as? any AnyFetchRequest { return try fetch.results(in: context) }
    return try context.execute(request)
  }
}
