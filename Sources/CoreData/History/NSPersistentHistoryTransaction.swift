public import Foundation

/// One save or one batch request, as the history of a store has it.
///
/// Apple's documentation of `NSPersistentHistoryTransaction`.
// Its changes are set once, before other threads can use it.
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  /// The time when it was made.
  public final let timestamp: Date
  /// Its number, which counts up in each store.
  public final let transactionNumber: Int64
  /// The identifier of its store.
  public final let storeID: String
  /// The bundle that made it, or the program's name where there is no bundle.
  public final let bundleID: String
  /// The name of the process that made it.
  public final let processID: String
  /// The `name` of the context that made it.
  public final let contextName: String?
  /// The `transactionAuthor` of the context that made it.
  public final let author: String?
  /// The changes, in their order; `nil` when only transactions were asked for.
  public private(set) final var changes: [NSPersistentHistoryChange]?

  init(
    number: Int64,
    storeID: String,
    timestamp: Date,
    author: String?,
    contextName: String?,
    bundleID: String?,
    processID: String?
  ) {
    transactionNumber = number
    self.storeID = storeID
    self.timestamp = timestamp
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID ?? ""
    self.processID = processID ?? ""
    super.init()
  }

  /// The place in the history right after the transaction.
  open var token: NSPersistentHistoryToken { NSPersistentHistoryToken(numbers: [storeID: transactionNumber]) }

  /// The changes as a notification that a context can merge by
  /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``.
  ///
  /// ```swift
  /// if transaction.author != "import" {
  ///   context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
  /// }
  /// ```
  open func objectIDNotification() -> Notification {
    var objectIDs: [String: Set<NSManagedObjectID>] = [:]
    for change in changes ?? [] { objectIDs[change.changeType.key, default: []].insert(change.changedObjectID) }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: objectIDs)
  }

  /// Transactions are immutable: the same one.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The same transaction with these changes, or with none.
  final func with(_ changes: [NSPersistentHistoryChange]?) -> NSPersistentHistoryTransaction {
    let transaction = NSPersistentHistoryTransaction(
      number: transactionNumber,
      storeID: storeID,
      timestamp: timestamp,
      author: author,
      contextName: contextName,
      bundleID: bundleID,
      processID: processID
    )
    transaction.changes = changes
    for change in changes ?? [] { change.join(transaction) }
    return transaction
  }

  // MARK: - Fetch requests

  /// The entity that fetch requests for transactions have. Its attributes are `author`, `bundleID`,
  /// `contextName`, `processID`, `storeID`, `timestamp`, `token` and `transactionNumber`; compare
  /// `token` with a token, whose number is used.
  open class var entityDescription: NSEntityDescription? { HistoryModel.shared.transaction }

  /// The entity that fetch requests for transactions have; the same in all contexts.
  open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

  /// A request for transactions, for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entityDescription
    return request
  }

  open override var description: String { describe() }
}
