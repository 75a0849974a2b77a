import Foundation

/// The form of a batch deletion's result.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// A `Bool` that is true when the request succeeded.
  case resultTypeStatusOnly = 0
  /// The IDs (`[NSManagedObjectID]`) of the deleted objects.
  case resultTypeObjectIDs = 1
  /// An `Int`: the number of objects that were deleted.
  case resultTypeCount = 2
}

/// A request that deletes objects in the stores themselves, without bringing them into the context.
///
/// ```swift
/// let old = NSFetchRequest<Note>(entityName: "Note")
/// old.predicate = NSPredicate(format: "createdAt < %@", Date(timeIntervalSinceNow: -31_536_000))
/// let request = NSBatchDeleteRequest(fetchRequest: old)
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let deleted = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: deleted, into: [context])
/// ```
///
/// Contexts do not notice the request: their objects are unchanged until they are refreshed.
/// Neither validation nor delete rules are applied; relationships that lead to a deleted object are
/// emptied. Apple's documentation of `NSBatchDeleteRequest`. A required to-one relationship cannot
/// be emptied. If one leads to a deleted object, and its own object is not deleted by the same
/// request, the request fails with `NSPersistentStoreSaveConflictsError`, and nothing is deleted.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// Deletes what a fetch request finds.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    fetchRequest = fetch
    super.init()
  }

  /// Deletes the objects that a fetch request finds, for every class of results.
  public convenience init<ResultType>(fetchRequest fetch: NSFetchRequest<ResultType>) {
    let erased = NSFetchRequest<any NSFetchRequestResult>()
    erased.copySettings(from: fetch)
    self.init(fetchRequest: erased)
  }

  /// Deletes objects by their IDs.
  ///
  /// ```swift
  /// let request = NSBatchDeleteRequest(objectIDs: notes.map(\.objectID))
  /// request.resultType = .resultTypeCount
  /// let result = try context.execute(request) as? NSBatchDeleteResult
  /// print(result?.result as? Int ?? 0)  // 3
  /// ```
  ///
  /// The IDs must be of one entity, or of entities that inherit from one root entity. A request with
  /// IDs of other entities fails with `NSPersistentStoreOperationError` when it is executed, and
  /// deletes nothing (Apple's documentation of `init(objectIDs:)`). No object is deleted for a
  /// temporary ID, nor for the ID of a store that the context does not have.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    let fetch = NSFetchRequest<any NSFetchRequestResult>()
    fetch.entity = objectIDs.first?.entity.root
    fetch.predicate = NSPredicate(format: "SELF IN %@", objectIDs)
    self.init(fetchRequest: fetch)
    self.objectIDs = objectIDs
    predicateOfObjectIDs = fetch.predicate
  }

  /// The IDs that the request was made for; `nil` for a request that was made for a fetch request.
  private(set) final var objectIDs: [NSManagedObjectID]?

  private final var predicateOfObjectIDs: NSPredicate?

  /// True when the caller has not given the fetch request another predicate than that of the IDs.
  final var isOfObjectIDsAlone: Bool { predicateOfObjectIDs != nil && fetchRequest.predicate === predicateOfObjectIDs }

  open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  /// The request that finds what is to be deleted.
  public final let fetchRequest: NSFetchRequest<any NSFetchRequestResult>

  /// The form of the result; a status alone unless set.
  open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

  open override var description: String {
    ObjectHead.text(self, [("fetchRequest", fetchRequest.description), ("resultType", resultType.name)])
  }
}

/// The result of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// The result in the form of the request's `resultType`: a `Bool`, an `Int` or `[NSManagedObjectID]`.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: NSBatchDeleteRequestResultType

  init(result: Any?, resultType: NSBatchDeleteRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe(resultType.name, result: result) }
}
