extension NSManagedObjectContext {
  /// Perennial's own: the objects that a request finds, those of now and those after each change.
  ///
  /// ```swift
  /// for try await update in context.updates(of: request) {
  ///   print(update.results.map(\.title))
  ///   break
  /// }
  /// ```
  ///
  /// The sequence hears of the changes of this context, of what it merges, and, where a store was opened with
  /// ``NSPersistentHistoryTrackingKey`` and ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``, of what other
  /// contexts and other processes save: it merges that into the context by the store's history. Changes of objects that
  /// a predicate or a sort descriptor only reaches through relationships are not followed, as with
  /// ``NSFetchedResultsController``. New objects are reported once more when they are saved, because their IDs are
  /// permanent from then on.
  ///
  /// The objects belong to the context's queue: iterate on the main actor for a main-queue context, or in an actor
  /// whose executor is the context. Everywhere else, use ``updates(of:transform:)``.
  ///
  /// - Parameter request: a request for managed objects, which is copied. Without sort descriptors,
  ///   new objects come last.
  public final func updates<Object: NSManagedObject>(of request: NSFetchRequest<Object>) -> FetchedUpdates<Object> {
    let copy: NSFetchRequest<Object> = request.copy(of: Object.self)
    return FetchedUpdates(context: self, request: copy) { try $0.asResult() }
  }

  /// Perennial's own: a transform's values for the objects that a request finds, now and after each change.
  ///
  /// ```swift
  /// for try await update in context.updates(of: request, transform: \.title) {
  ///   print(update.results)
  ///   break
  /// }
  /// ```
  ///
  /// The values can be used by any task. The transform is called for the objects that have come or
  /// changed since the last update, not for the others: what it reads of other objects through
  /// relationships is as it was then. See ``updates(of:)`` for what is followed.
  ///
  /// - Parameters:
  ///   - request: a request for managed objects, which is copied. Without sort descriptors, new objects come last.
  ///   - transform: makes the value of an object, on the context's queue. The sequence throws its errors, and ends.
  public final func updates<Object: NSManagedObject, Value: Sendable>(
    of request: NSFetchRequest<Object>,
    transform: @escaping @Sendable (Object) throws -> Value
  ) -> FetchedUpdates<Value> {
    let copy: NSFetchRequest<Object> = request.copy(of: Object.self)
    return FetchedUpdates(context: self, request: copy) { try transform($0.asResult()) }
  }
}

extension NSManagedObject {
  /// The object as one of the class that a request was made for.
  fileprivate final func asResult<Object: NSManagedObject>() throws -> Object {
    if let object = self as? Object { return object }
    throw CocoaError.coreData(
      NSCoreDataError,
      message: """
        observed results of \(Object.self) have an object of the entity \(layout.entity.name ?? "") whose class is \
        \(Swift.type(of: self)); make the request for that class, or set the entity's class.
        """
    )
  }
}
