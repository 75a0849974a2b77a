public import Foundation

/// A request for the history of stores, or for its deletion.
///
/// ```swift
/// let yesterday = Date(timeIntervalSinceNow: -86_400)
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: yesterday)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
///   print(transaction.timestamp, transaction.author ?? "somebody")
///   context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
///
/// The stores must have been opened with ``NSPersistentHistoryTrackingKey``. Carry it out by
/// ``NSManagedObjectContext/execute(_:)``, which answers an ``NSPersistentHistoryResult``. Apple's
/// documentation of `NSPersistentHistoryChangeRequest`.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// A place in the history.
  enum Position {
    /// Before everything.
    case beginning
    case date(Date)
    case token(NSPersistentHistoryToken)
    case transaction(NSPersistentHistoryTransaction)
  }

  enum Operation {
    case fetch(after: Position)
    case delete(before: Position)
  }

  private(set) final var operation = Operation.fetch(after: .beginning)

  /// The token that the request was made with.
  public private(set) final var token: NSPersistentHistoryToken?

  /// The form of the result; transactions with their changes unless set.
  ///
  /// ```swift
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
  /// request.resultType = .objectIDs
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// let changed = result?.result as? [NSManagedObjectID] ?? []
  /// ```
  open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

  /// A request for transactions or changes that says which of them are wanted, and in which order; its entity is
  /// ``NSPersistentHistoryTransaction/entityDescription`` or ``NSPersistentHistoryChange/entityDescription``.
  ///
  /// ```swift
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
  /// request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
  /// request.fetchRequest?.predicate = NSPredicate(format: "author == %@", "import")
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// ```
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  /// Makes a request for all history.
  public required override init() { super.init() }

  private class func make(_ operation: Operation, token: NSPersistentHistoryToken? = nil) -> Self {
    let request = Self()
    request.operation = operation
    request.token = token
    return request
  }

  open override var requestType: NSPersistentStoreRequestType {
    switch operation {
    case .fetch: .fetchRequestType
    case .delete: .batchDeleteRequestType
    }
  }

  // MARK: - Fetching

  /// A request for what was done after a point in time.
  open class func fetchHistory(after date: Date) -> Self { make(.fetch(after: .date(date))) }

  /// A request for what was done after a token was given; for all history when there is none.
  ///
  /// ```swift
  /// let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
  /// note.isPinned = false
  /// try context.save()
  ///
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
  /// print(transactions.count)  // 1
  /// ```
  open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
    make(.fetch(after: token.map(Position.token) ?? .beginning), token: token)
  }

  /// A request for what was done after a transaction; for all history when there is none.
  ///
  /// ```swift
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last)
  /// request.resultType = .count
  /// let result = try context.execute(request) as? NSPersistentHistoryResult
  /// print(result?.result as? Int ?? 0)  // 0
  /// ```
  open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.fetch(after: transaction.map(Position.transaction) ?? .beginning), token: transaction?.token)
  }

  /// A request for the transactions or changes that a fetch request describes.
  open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
    let request = make(.fetch(after: .beginning))
    request.fetchRequest = fetchRequest
    return request
  }

  // MARK: - Deleting

  /// A request that deletes what was done before a point in time from the history.
  ///
  /// ```swift
  /// let aWeekAgo = Date(timeIntervalSinceNow: -604_800)
  /// try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: aWeekAgo))
  /// ```
  open class func deleteHistory(before date: Date) -> Self { make(.delete(before: .date(date))) }

  /// A request that deletes what was done before the transaction of a token from the history.
  ///
  /// ```swift
  /// let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
  /// try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
  /// ```
  open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    make(.delete(before: token.map(Position.token) ?? .beginning), token: token)
  }

  /// A request that deletes what was done before a transaction from the history.
  open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    make(.delete(before: transaction.map(Position.transaction) ?? .beginning), token: transaction?.token)
  }

  open override var description: String { describe() }
}

/// The form of a history request's result.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// A `Bool` that is true when the request succeeded.
  case statusOnly = 0
  /// The IDs (`[NSManagedObjectID]`) of the changed objects, each once.
  case objectIDs = 1
  /// An `Int`: the number of changes.
  case count = 2
  /// Transactions (`[NSPersistentHistoryTransaction]`) without their changes.
  case transactionsOnly = 3
  /// Changes (`[NSPersistentHistoryChange]`), the oldest first.
  case changesOnly = 4
  /// Transactions (`[NSPersistentHistoryTransaction]`) with their changes, the oldest first.
  case transactionsAndChanges = 5
}

/// The result of a history request.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result in the form of the request's `resultType`; a `Bool` for a deletion that asks for
  /// transactions or changes.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: NSPersistentHistoryResultType

  init(result: Any?, resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe("\(resultType)", result: result) }
}
