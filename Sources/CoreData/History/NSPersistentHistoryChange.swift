public import Foundation

/// A kind of change of an object in the history.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert = 0
  /// The object got other values.
  case update = 1
  /// The object was deleted.
  case delete = 2

  var key: String {
    switch self {
    case .insert: NSInsertedObjectIDsKey
    case .update: NSUpdatedObjectIDsKey
    case .delete: NSDeletedObjectIDsKey
    }
  }
}

/// A change that a transaction made to one object.
///
/// Apple's documentation of `NSPersistentHistoryChange`.
///
/// ```swift
/// for change in transaction.changes ?? [] where change.changeType == .update {
///   let names = change.updatedProperties?.map(\.name) ?? []
///   print(change.changedObjectID, names)  // …, ["rating"]
/// }
/// ```
// It joins its transaction before other threads can use it, and is immutable from then on.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// The number of the change, which counts up in each store.
  public final let changeID: Int64
  /// The object, which need not be there any more.
  public final let changedObjectID: NSManagedObjectID
  /// The kind of the change: an insertion, an update or a deletion.
  public final let changeType: NSPersistentHistoryChangeType
  /// The values that a deleted object had, of the attributes with
  /// `preservesValueInHistoryOnDeletion`; `nil` for other changes.
  public final let tombstone: [AnyHashable: Any]?
  /// The properties that were changed; `nil` for insertions and deletions.
  public final let updatedProperties: Set<NSPropertyDescription>?
  /// The number that the store gives the object's entity.
  final let entityNumber: Int64
  private final let transactionWithoutChanges: NSPersistentHistoryTransaction
  // A transaction owns its changes.
  private final weak var owner: NSPersistentHistoryTransaction?

  init(
    number: Int64,
    type: NSPersistentHistoryChangeType,
    objectID: NSManagedObjectID,
    entityNumber: Int64,
    tombstone: [AnyHashable: Any]?,
    updatedProperties: Set<NSPropertyDescription>?,
    transaction: NSPersistentHistoryTransaction
  ) {
    changeID = number
    changeType = type
    changedObjectID = objectID
    self.entityNumber = entityNumber
    self.tombstone = tombstone
    self.updatedProperties = updatedProperties
    transactionWithoutChanges = transaction
    super.init()
  }

  /// The transaction that made the change.
  open var transaction: NSPersistentHistoryTransaction? { owner ?? transactionWithoutChanges }

  /// Called when a transaction takes the change.
  final func join(_ transaction: NSPersistentHistoryTransaction) { owner = transaction }

  /// Changes are immutable: the same one.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: - Fetch requests

  /// The entity that fetch requests for changes have. Its attributes are `changeID`, `changeType`,
  /// `changedEntity` and `changedObjectID`; compare `changedEntity` with an entity, whose number is
  /// used. `transaction` leads to the transaction.
  open class var entityDescription: NSEntityDescription? { HistoryModel.shared.change }

  /// The entity that fetch requests for changes have; the same in all contexts.
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

  /// A request for changes, for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }

  open override var description: String { describe() }
}
