public import Foundation

/// The form of a batch update's result.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// A `Bool` that is true when the request succeeded.
  case statusOnlyResultType = 0
  /// The IDs (`[NSManagedObjectID]`) of the changed objects.
  case updatedObjectIDsResultType = 1
  /// An `Int`: the number of objects that were changed.
  case updatedObjectsCountResultType = 2
}

/// A request that changes objects in the stores themselves, without bringing them into the context.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Song")
/// request.predicate = NSPredicate(format: "lastPlayedAt == nil")
/// request.propertiesToUpdate = ["isNew": true, "plays": 0]
/// request.resultType = .updatedObjectsCountResultType
/// let result = try context.execute(request) as? NSBatchUpdateResult
/// print(result?.result as? Int ?? 0, "songs were never played")
/// ```
///
/// Contexts do not notice the request: their objects are unchanged until they are refreshed, and
/// validation is not run. The versions of the rows increase, so that a context with older values
/// finds the conflict when it saves. Apple's documentation of `NSBatchUpdateRequest`.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the entity whose objects are changed.
  public final let entityName: String

  /// The entity whose objects are changed, where the request was made with it.
  public final let entity: NSEntityDescription?

  /// The predicate that the objects have to fulfil; `nil` for all objects.
  open var predicate: NSPredicate?

  /// A Boolean value that is true when objects of the entity's subentities are changed too; `true` unless set.
  open var includesSubentities = true

  /// The form of the result; a status alone unless set.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType

  /// The new values. Keys are names of attributes and to-one relationships, or their descriptions. Values are constants
  /// or an `NSExpression`, which is evaluated for each object with the values from before the update. `NSNull` means no
  /// value. The destination of a relationship is given by its object or its ID.
  ///
  /// ```swift
  /// let request = NSBatchUpdateRequest(entityName: "Song")
  /// request.propertiesToUpdate = ["plays": NSExpression(format: "plays + 1")]
  /// try context.execute(request)
  /// ```
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// Changes objects of the entity with a name.
  public init(entityName: String) {
    self.entityName = entityName
    entity = nil
    super.init()
  }

  /// Changes objects of an entity.
  public init(entity: NSEntityDescription) {
    entityName = entity.name ?? ""
    self.entity = entity
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  open override var description: String { describe() }
}

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// The result in the form of the request's `resultType`: a `Bool`, an `Int` or `[NSManagedObjectID]`.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: NSBatchUpdateRequestResultType

  init(result: Any?, resultType: NSBatchUpdateRequestResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe(resultType.name, result: result) }
}
