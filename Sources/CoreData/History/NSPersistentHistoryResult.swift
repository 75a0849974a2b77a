import Foundation

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
  /// The result in the form that the request's `resultType` says; a `Bool` for a deletion that asks
  /// for transactions or changes.
  public final let result: Any?

  /// The form of the result.
  public final let resultType: NSPersistentHistoryResultType

  init(result: Any?, resultType: NSPersistentHistoryResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }

  open override var description: String { describe("\(resultType)", result) }
}
